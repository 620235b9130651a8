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
export function patchRead(ids: readonly string[], isRead: boolean): void {
  const pages = queryClient.getQueryData<Pages<Notification>>(keys.notifications)?.pages ?? [];
  const rows = pages.flatMap((page) => page.rows).filter((row) => row.isRead !== isRead);
  const changed = new Set(rows.map(({ id }) => id).filter((id) => ids.includes(id)));
  if (changed.size === 0) return;
  patchRows<Notification>(keys.notifications, (list) =>
    list.map((row) => (changed.has(row.id) ? { ...row, isRead } : row)),
  );
  patchUnread((unread) => Math.max(0, unread + (isRead ? -changed.size : changed.size)));
}

export function patchAllRead(): void {
  patchRows<Notification>(keys.notifications, (list) =>
    list.map((row) => ({ ...row, isRead: true })),
  );
  patchUnread(() => 0);
}

function patchUnread(change: (count: number) => number): void {
  queryClient.setQueryData<Me | null>(
    keys.me,
    (me) => me && { ...me, unreadNotificationCount: change(me.unreadNotificationCount) },
  );
}
