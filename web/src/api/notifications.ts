import type { InfiniteData } from "@tanstack/react-query";
import { nextStart, type PageStart } from "@/lib/link-header";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import { refreshMe } from "./session";
import type { Me, Notification } from "./types";

const LIMIT = 50;

/** A page of notifications. */
export interface NotificationPage {
  rows: Notification[];
  next: PageStart | null;
}

type Pages = InfiniteData<NotificationPage, PageStart | null>;

/** What others did that concerns me, newest first; fetched together with the number unread. */
export const notificationsQuery = {
  queryKey: keys.notifications,
  initialPageParam: null,
  queryFn: async ({ pageParam: start }: { pageParam: PageStart | null }) => {
    const params = { query: { limit: LIMIT, ...start } };
    const [answer] = await Promise.all([
      api.GET("/api/notifications", { params }),
      start === null ? refreshMe() : undefined,
    ]);
    const rows = bodyOf(answer);
    return { rows, next: nextStart(answer.response, rows.length, LIMIT, start ?? { offset: 0 }) };
  },
  getNextPageParam: (page: NotificationPage) => page.next,
};

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
  const pages = queryClient.getQueryData<Pages>(keys.notifications)?.pages ?? [];
  const known = pages.flatMap(({ rows }) => rows).find((row) => row.id === id);
  if (known?.isRead !== !isRead) return;
  patchRows((row) => (row.id === id ? { ...row, isRead } : row));
  patchUnread((count) => count + (isRead ? -1 : 1));
}

/** Shows all notifications as read. */
export function patchAllRead(): void {
  patchRows((row) => ({ ...row, isRead: true }));
  patchUnread(() => 0);
}

function patchRows(change: (row: Notification) => Notification): void {
  queryClient.setQueryData<Pages>(
    keys.notifications,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, rows: page.rows.map(change) })),
      },
  );
}

function patchUnread(change: (count: number) => number): void {
  queryClient.setQueryData<Me | null>(
    keys.me,
    (me) =>
      me && { ...me, unreadNotificationCount: Math.max(0, change(me.unreadNotificationCount)) },
  );
}
