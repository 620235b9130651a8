import type { InfiniteData } from "@tanstack/react-query";
import { api } from "./client";
import { keys } from "./keys";
import { paged, type RowPage } from "./paged";
import { queryClient } from "./query-client";
import type { Case, Decision, Role } from "./types";

const LIMIT = 20;
const LONG = 50;

/** Which reports a list shows. */
export type CaseState = "open" | "resolved";

/** What members reported, grouped by post or member. */
export const casesQuery = (state: CaseState) =>
  paged(keys.cases(state), LIMIT, (query) =>
    api.GET("/api/admin/reports", { params: { query: { state, ...query } } }),
  );

/** Everybody, or those whose names hold a term. */
export const membersQuery = (term: string) =>
  paged(keys.memberRecords(term), LIMIT, (query) =>
    api.GET("/api/admin/members", { params: { query: { query: term, ...query } } }),
  );

/** Those who joined with a member's invites. */
export const letInQuery = (inviter: string) =>
  paged(keys.letIn(inviter), LIMIT, (query) =>
    api.GET("/api/admin/members", { params: { query: { invitedBy: inviter, ...query } } }),
  );

/** Who waits to be let in. */
export const waitlistQuery = paged(keys.waitlist, LONG, (query) =>
  api.GET("/api/admin/waitlist", { params: { query } }),
);

/** What moderators, admins and the operator did. */
export const auditQuery = paged(keys.audit, LONG, (query) =>
  api.GET("/api/admin/audit", { params: { query } }),
);

/** Something that can be done to a member and taken back. */
export type Measure = "suspension" | "invite-freeze";

/** Decides about all reports of a case, if these are no more than were shown. */
export async function sendDecision(
  { id, reportCount }: Pick<Case, "id" | "reportCount">,
  action: Decision,
  note: string,
): Promise<void> {
  const params = { path: { id } };
  const body = { action, note, reportCount };
  await api.POST("/api/admin/reports/{id}/resolve", { params, body });
}

/** Removes a post, reported or not, and closes its reports. */
export async function sendRemoval(id: string, note: string): Promise<void> {
  const params = { path: { id } };
  await api.PUT("/api/admin/posts/{id}/removal", { params, body: { note } });
}

/** Suspends a member or freezes their invites. */
export async function takeMeasure(userId: string, what: Measure, note: string): Promise<void> {
  const params = { path: { userId } };
  await api.PUT(`/api/admin/members/{userId}/${what}`, { params, body: { note } });
}

/** Takes a measure back. */
export async function endMeasure(userId: string, what: Measure): Promise<void> {
  await api.DELETE(`/api/admin/members/{userId}/${what}`, { params: { path: { userId } } });
}

/** Gives a member another role. */
export async function sendRole(userId: string, role: Role, note: string): Promise<void> {
  const params = { path: { userId } };
  await api.PUT("/api/admin/members/{userId}/role", { params, body: { role, note } });
}

/** Sends somebody who waits an invite code. */
export async function sendAdmission(id: string): Promise<void> {
  await api.POST("/api/admin/waitlist/{id}/admit", { params: { path: { id } } });
}

/** Fetches anew what a deed may have changed; done when what is in sight is here. */
export async function refreshModeration(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.moderation });
}

/** Takes somebody out of the waitlist that is shown. */
export function dropFromWaitlist(id: string): void {
  queryClient.setQueryData<InfiniteData<RowPage<{ id: string }>>>(
    keys.waitlist,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          rows: page.rows.filter((row) => row.id !== id),
        })),
      },
  );
}
