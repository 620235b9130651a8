import { useInfiniteQuery } from "@tanstack/react-query";
import { hasStatus } from "@/api/error";
import { notificationsQuery } from "@/api/notifications";
import { useMember } from "@/api/session";
import { groupNotifications } from "@/features/notifications/notification-groups";
import { NotificationRow } from "@/features/notifications/notification-row";
import { NotificationSkeletons } from "@/features/notifications/notification-skeletons";
import { useReadAll } from "@/features/notifications/use-read";
import { useTitle } from "@/lib/use-title";
import { Button, buttonClass } from "@/ui/button";
import { CountBadge } from "@/ui/count-badge";
import { LoadMore } from "@/ui/load-more";
import { FailureNotice, Notice } from "@/ui/notice";
import { StaleNotice } from "@/ui/stale-notice";

/** What others did that concerns the member. */
export default function Notifications() {
  useTitle("Notifications");
  const { unreadNotificationCount: unread } = useMember();
  const readAll = useReadAll();
  return (
    <>
      <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 border-b border-line px-4 py-3 sm:px-5">
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
      <List />
    </>
  );
}

function List() {
  // Coming here is asking what is new; what is known already stays in sight meanwhile.
  const query = useInfiniteQuery({ ...notificationsQuery, refetchOnMount: "always" });
  const { data, error } = query;
  if (!data) {
    if (hasStatus(error, 401)) return <LoggedOut />;
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return <NotificationSkeletons />;
  }
  const groups = groupNotifications(data.pages.flatMap((page) => page.rows));
  return (
    <>
      <StaleNotice query={query} />
      {groups.length === 0 && !query.hasNextPage && <Empty />}
      <ul>
        {groups.map((group) => (
          <NotificationRow key={group.id} group={group} />
        ))}
      </ul>
      <LoadMore query={query} />
    </>
  );
}

function LoggedOut() {
  return (
    <Notice title="Please log in to see notifications.">
      <a href="/api/login" className={buttonClass("outline")}>
        Login
      </a>
    </Notice>
  );
}

function Empty() {
  return (
    <Notice title="No notifications yet">
      <p className="-mt-2 max-w-sm text-balance text-muted">
        When people interact with your posts, you'll see it here
      </p>
    </Notice>
  );
}
