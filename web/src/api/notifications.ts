import { api } from "./client";
import { keys } from "./keys";
import { firstPageAgain, paged, type Pages, patchRows } from "./lists";
import { isReturnToPages, queryClient } from "./query-client";
import { refreshMe } from "./session";
import type { Me, Notification } from "./types";

/** Notifications that one request marks as read at most. */
const MOST_READ = 500;

/** My notifications, newest first; fetched together with the number unread. */
export const notificationsQuery = {
  ...firstPageAgain,
  ...paged(keys.notifications, 50, async (query, start) => {
    const unread = start === null ? refreshMe() : undefined;
    const [answer] = await Promise.all([
      api.GET("/api/notifications", { params: { query } }),
      unread,
    ]);
    return answer;
  }),
  // Coming here is asking what is new; what is known already stays in sight meanwhile.
  refetchOnMount: ({ state }: { state: { data?: unknown } }) =>
    isReturnToPages(state.data) ? false : ("always" as const),
};

/** Marks notifications as read, by one request unless there are very many. */
export async function sendRead(ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MOST_READ) {
    const body = { ids: ids.slice(from, from + MOST_READ) };
    await api.PUT("/api/notifications/read", { body });
  }
}

/** Shows notifications as read, or as unread again, and counts them so. Idempotent. */
export function patchRead(ids: readonly string[] | "all", isRead: boolean): void {
  const changes = (row: Notification) =>
    row.isRead !== isRead && (ids === "all" || ids.includes(row.id));
  const pages = queryClient.getQueryData<Pages<Notification>>(keys.notifications)?.pages ?? [];
  const rows = pages.flatMap((page) => page.rows).filter(changes);
  const count = new Set(rows.map((row) => row.id)).size;
  if (count === 0 && ids !== "all") return;
  patchRows<Notification>(keys.notifications, (list) =>
    list.map((row) => (changes(row) ? { ...row, isRead } : row)),
  );
  queryClient.setQueryData<Me | null>(keys.me, (me) => {
    if (!me) return me;
    const unread = me.unreadNotificationCount + (isRead ? -count : count);
    return { ...me, unreadNotificationCount: ids === "all" ? 0 : Math.max(0, unread) };
  });
}
