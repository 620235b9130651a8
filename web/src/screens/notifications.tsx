import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { api } from "@/api/client";
import { notificationsQuery, setReadInCache } from "@/api/notifications";
import { queryClient } from "@/api/query-client";
import type { NotificationFilter } from "@/api/query-keys";
import { useCurrentUser } from "@/api/auth";
import { groupNotifications } from "@/features/notifications/group-notifications";
import { NotificationItem } from "@/features/notifications/notification-item";
import { Button, buttonClass } from "@/ui/button";
import { Badge } from "@/ui/badge";
import { PaginatedList } from "@/components/paginated-list";
import { RowBoundary } from "@/components/row-boundary";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton, SkeletonList } from "@/ui/skeleton";
import { Tabs } from "@/ui/tabs";

const skeleton = (
  <SkeletonList count={6} className="flex gap-4 border-b border-border px-4 py-4 sm:px-5">
    {(index) => (
      <>
        <Skeleton className="size-11 shrink-0" />
        <div className="flex-1 space-y-3 pt-1">
          <Skeleton className={index % 2 === 0 ? "h-3.5 w-56" : "h-3.5 w-44"} />
          {index % 3 !== 2 && <Skeleton className="h-3.5 w-4/5 opacity-60" />}
        </div>
      </>
    )}
  </SkeletonList>
);

interface Filter {
  name: NotificationFilter;
  title: MessageDescriptor;
  empty: { title: MessageDescriptor; body: MessageDescriptor };
}

const filters: readonly Filter[] = [
  {
    name: "all",
    title: msg`All`,
    empty: {
      title: msg`No notifications yet`,
      body: msg`When people interact with your posts, you'll see it here`,
    },
  },
  {
    name: "conversation",
    title: msg`Replies and mentions`,
    empty: {
      title: msg`No replies or mentions yet`,
      body: msg`When people reply to you or mention you, you'll see it here`,
    },
  },
];

export const prefetch = () => queryClient.prefetchInfiniteQuery(notificationsQuery("all"));

export default function Notifications() {
  const { unreadNotificationCount: unreadCount } = useCurrentUser();
  const markAllRead = useMutation({
    mutationFn: () => api.PUT("/api/notifications/read-all"),
    onSuccess: () => setReadInCache("all", true),
    meta: {
      success: { title: t`All notifications marked as read` },
      failure: t`Failed to mark notifications as read.`,
    },
  });
  return (
    <>
      <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-border px-4 py-3 sm:px-5">
        <h1 className="flex items-center gap-3 font-serif text-page-title">
          <Trans>Notifications</Trans>
          <Badge count={unreadCount} />
        </h1>
        {unreadCount > 0 && (
          <Button
            variant="outline"
            size="small"
            disabled={markAllRead.isPending}
            onClick={() => markAllRead.mutate()}
          >
            <Trans>Mark all as read</Trans>
          </Button>
        )}
      </header>
      <Tabs
        label={t`Which notifications`}
        tabs={filters.map(({ name, title, empty }) => ({
          name,
          title,
          render: () => <NotificationList filter={name} empty={empty} />,
        }))}
      />
    </>
  );
}

function NotificationList({
  filter,
  empty,
}: Pick<Filter, "empty"> & { filter: NotificationFilter }) {
  return (
    <PaginatedList
      list={notificationsQuery(filter)}
      loading={skeleton}
      loggedOut={
        <EmptyState title={t`Please log in to see notifications.`}>
          <a href="/api/login" className={buttonClass("outline")}>
            <Trans>Login</Trans>
          </a>
        </EmptyState>
      }
      empty={
        <EmptyState title={t(empty.title)}>
          <p className="-mt-2 max-w-sm text-balance text-muted-foreground">{t(empty.body)}</p>
        </EmptyState>
      }
    >
      {(rows) => (
        <ul>
          {groupNotifications(rows).map((group) => (
            <RowBoundary key={group.id} as="li">
              <NotificationItem group={group} />
            </RowBoundary>
          ))}
        </ul>
      )}
    </PaginatedList>
  );
}
