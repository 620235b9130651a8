import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import { refreshMe } from "./session";
import type { Me, Notification } from "./types";

const LIMIT = 50;

/** What others did that concerns me, newest first; fetched together with the number unread. */
export const notificationsQuery = queryOptions({
  queryKey: keys.notifications,
  queryFn: async () => {
    const params = { query: { limit: LIMIT } };
    const [answer] = await Promise.all([api.GET("/api/notifications", { params }), refreshMe()]);
    return bodyOf(answer);
  },
});

/** Marks a notification as read. */
export async function sendRead(id: string): Promise<void> {
  await api.PUT("/api/notifications/{id}/read", { params: { path: { id } } });
}

/** Marks all notifications as read. */
export async function sendAllRead(): Promise<void> {
  await api.PUT("/api/notifications/read-all");
}

/** Shows a notification as read, or as unread again, and counts it so; twice is as good as once. */
export function patchRead(id: string, isRead: boolean): void {
  const list = queryClient.getQueryData<Notification[]>(keys.notifications);
  if (list?.find((row) => row.id === id)?.isRead !== !isRead) return;
  queryClient.setQueryData<Notification[]>(keys.notifications, (rows) =>
    rows?.map((row) => (row.id === id ? { ...row, isRead } : row)),
  );
  patchUnread((count) => count + (isRead ? -1 : 1));
}

/** Shows all notifications as read. */
export function patchAllRead(): void {
  queryClient.setQueryData<Notification[]>(keys.notifications, (rows) =>
    rows?.map((row) => ({ ...row, isRead: true })),
  );
  patchUnread(() => 0);
}

function patchUnread(change: (count: number) => number): void {
  queryClient.setQueryData<Me | null>(
    keys.me,
    (me) =>
      me && { ...me, unreadNotificationCount: Math.max(0, change(me.unreadNotificationCount)) },
  );
}
