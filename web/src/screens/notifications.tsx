import { useMutation } from "@tanstack/react-query";
import { api } from "@/api/client";
import { notificationsQuery, patchAllRead } from "@/api/notifications";
import { queryClient } from "@/api/query-client";
import { useMember } from "@/api/session";
import { NotificationList } from "@/features/notifications/notification-list";
import { Button } from "@/ui/button";
import { CountBadge } from "@/ui/count-badge";

export const loadAhead = () => queryClient.prefetchInfiniteQuery(notificationsQuery);

export default function Notifications() {
  const { unreadNotificationCount: unread } = useMember();
  const readAll = useMutation({
    mutationFn: () => api.PUT("/api/notifications/read-all"),
    onSuccess: patchAllRead,
    meta: {
      success: { title: "All notifications marked as read" },
      failure: "Failed to mark notifications as read.",
    },
  });
  return (
    <>
      <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3 sm:px-5">
        <h1 className="flex items-center gap-3 font-serif text-[32px] leading-none">
          Notifications
          <CountBadge count={unread} />
        </h1>
        {unread > 0 && (
          <Button
            look="outline"
            size="small"
            disabled={readAll.isPending}
            onClick={() => readAll.mutate()}
          >
            Mark all as read
          </Button>
        )}
      </header>
      <NotificationList />
    </>
  );
}
