import { api } from "./client";
import { keys } from "./keys";
import { paged } from "./lists";
import { markStale, refresh } from "./query-client";
import type { Case, Decision, Role } from "./types";

const LIMIT = 20;
const LONG = 50;

export type CaseState = "open" | "resolved";

export const casesQuery = (state: CaseState) =>
  paged(keys.cases(state), LIMIT, (query) =>
    api.GET("/api/admin/reports", { params: { query: { state, ...query } } }),
  );

export const membersQuery = (term: string) =>
  paged(keys.memberRecords(term), LIMIT, (query) =>
    api.GET("/api/admin/members", { params: { query: { query: term, ...query } } }),
  );

export const invitedQuery = (inviter: string) =>
  paged(keys.invited(inviter), LIMIT, (query) =>
    api.GET("/api/admin/members", { params: { query: { invitedBy: inviter, ...query } } }),
  );

export const waitlistQuery = paged(keys.waitlist, LONG, (query) =>
  api.GET("/api/admin/waitlist", { params: { query } }),
);

export const auditQuery = paged(keys.audit, LONG, (query) =>
  api.GET("/api/admin/audit", { params: { query } }),
);

export type Measure = "suspension" | "invite-freeze";

/** Decides about all reports of a case, if these are no more than were shown. */
export async function sendDecision(
  { id, reportCount }: Pick<Case, "id" | "reportCount">,
  action: Decision,
  note: string,
): Promise<void> {
  const body = { action, note, reportCount };
  await api.POST("/api/admin/reports/{id}/resolve", { params: { path: { id } }, body });
}

/** Removes a post, reported or not, and closes its reports. */
export async function sendRemoval(id: string, note: string): Promise<void> {
  await api.PUT("/api/admin/posts/{id}/removal", { params: { path: { id } }, body: { note } });
}

export async function takeMeasure(userId: string, what: Measure, note: string): Promise<void> {
  const params = { path: { userId } };
  await api.PUT(`/api/admin/members/{userId}/${what}`, { params, body: { note } });
}

export async function endMeasure(userId: string, what: Measure): Promise<void> {
  await api.DELETE(`/api/admin/members/{userId}/${what}`, { params: { path: { userId } } });
}

export async function sendRole(userId: string, role: Role, note: string): Promise<void> {
  const params = { path: { userId } };
  await api.PUT("/api/admin/members/{userId}/role", { params, body: { role, note } });
}

export async function sendAdmission(id: string): Promise<void> {
  await api.POST("/api/admin/waitlist/{id}/admit", { params: { path: { id } } });
}

/** Fetches again what an action may have changed; done when what is on screen is here. */
export async function refreshModeration(): Promise<void> {
  // A profile says whether its member is suspended.
  markStale(keys.users);
  await refresh(keys.moderation);
}
