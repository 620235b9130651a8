import { api, apiQueryOptions } from "./client";
import { queryClient } from "./query-client";
import { queryKeys } from "./query-keys";
import type { Me } from "./types";

/** The member's notices of the moderators, newest first. */
export const moderationNoticesQuery = apiQueryOptions(queryKeys.moderationNotices, () =>
  api.GET("/api/moderation-notices"),
);

/** The member's own reports and what became of them, newest first. */
export const sentReportsQuery = apiQueryOptions(queryKeys.sentReports, () =>
  api.GET("/api/reports"),
);

/** The notice of a mailed link, for a member who can't log in. */
export const noticeByLinkQuery = (token: string) =>
  apiQueryOptions([...queryKeys.moderationNotices, "by-link", token], () =>
    api.POST("/api/moderation-notices/by-link", { body: { token } }),
  );

export const objectToNotice = (id: string, text: string) =>
  api.POST("/api/moderation-notices/{id}/objection", { params: { path: { id } }, body: { text } });

export const objectByLink = (token: string, text: string) =>
  api.POST("/api/moderation-notices/by-link/objection", { body: { token, text } });

/** Marks all notices and outcomes of reports as read. */
export async function markNoticesRead(): Promise<void> {
  await api.POST("/api/moderation-notices/read");
  queryClient.setQueryData<Me | null>(
    queryKeys.currentUser,
    (me) => me && { ...me, unreadNotices: 0 },
  );
}
