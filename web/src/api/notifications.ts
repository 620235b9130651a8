import { api } from "./client";
import { type NotificationFilter, queryKeys } from "./query-keys";
import {
  type InfinitePages,
  type PaginatedQuery,
  paginatedQuery,
  updateRowsInCache,
} from "./paginated-query";
import { isReturnToLoadedPages, queryClient } from "./query-client";
import { refetchCurrentUser } from "./auth";
import type { Me, Notification } from "./types";

/** Maximum number of ids per request. */
const MAX_IDS_PER_REQUEST = 500;

/** The notifications of the current user, newest first; fetched together with the number unread. */
export function notificationsQuery(filter: NotificationFilter): PaginatedQuery<Notification> {
  const list = paginatedQuery("/api/notifications", {
    ...(filter !== "all" && { query: { filter } }),
    queryKey: queryKeys.notificationList(filter),
    pageSize: 50,
    refetchFirstPageOnly: true,
  });
  return {
    ...list,
    async queryFn(context) {
      const unread = context.pageParam === null ? refetchCurrentUser() : undefined;
      const [page] = await Promise.all([list.queryFn(context), unread]);
      return page;
    },
    // Every visit refetches, and shows the cached rows until then; back navigation to several loaded pages keeps them.
    refetchOnMount: ({ state }) => (isReturnToLoadedPages(state.data) ? false : "always"),
  };
}

/** Marks notifications as read, by one request unless there are very many. */
export async function markNotificationsRead(ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_IDS_PER_REQUEST) {
    const body = { ids: ids.slice(from, from + MAX_IDS_PER_REQUEST) };
    await api.PUT("/api/notifications/read", { body });
  }
}

/** Shows notifications as read or unread, and updates the number unread. Idempotent. */
export function setReadInCache(ids: readonly string[] | "all", isRead: boolean): void {
  const isChanged = (row: Notification) =>
    row.isRead !== isRead && (ids === "all" || ids.includes(row.id));
  const queryKey = queryKeys.notifications;
  const lists = queryClient.getQueriesData<InfinitePages<Notification>>({ queryKey });
  const pages = lists.flatMap(([, list]) => list?.pages ?? []);
  const rows = pages.flatMap((page) => page.rows).filter(isChanged);
  const count = new Set(rows.map((row) => row.id)).size;
  if (count === 0 && ids !== "all") return;
  updateRowsInCache<Notification>(queryKey, (list) =>
    list.map((row) => (isChanged(row) ? { ...row, isRead } : row)),
  );
  queryClient.setQueryData<Me | null>(queryKeys.currentUser, (currentUser) => {
    if (!currentUser) return currentUser;
    const unread = currentUser.unreadNotificationCount + (isRead ? -count : count);
    return { ...currentUser, unreadNotificationCount: ids === "all" ? 0 : Math.max(0, unread) };
  });
}
