import { notificationsQuery } from "@/api/notifications";
import { buttonClass } from "@/ui/button";
import { InfiniteList } from "@/ui/infinite-list";
import { Notice } from "@/ui/notice";
import { Bone, Loading } from "@/ui/skeleton";
import { groupNotifications } from "./notification-groups";
import { NotificationRow } from "./notification-row";

const SKELETONS = 6;

export function NotificationList() {
  return (
    <InfiniteList
      list={notificationsQuery}
      loading={<NotificationSkeletons />}
      loggedOut={
        <Notice title="Please log in to see notifications.">
          <a href="/api/login" className={buttonClass("outline")}>
            Login
          </a>
        </Notice>
      }
      empty={
        <Notice title="No notifications yet">
          <p className="-mt-2 max-w-sm text-balance text-muted">
            When people interact with your posts, you'll see it here
          </p>
        </Notice>
      }
    >
      {(rows) => (
        <ul>
          {groupNotifications(rows).map((group) => (
            <NotificationRow key={group.id} group={group} />
          ))}
        </ul>
      )}
    </InfiniteList>
  );
}

function NotificationSkeletons() {
  return (
    <Loading count={SKELETONS} className="flex gap-4 border-b border-line px-4 py-4 sm:px-5">
      {(index) => (
        <>
          <Bone className="size-11 shrink-0" />
          <div className="flex-1 space-y-3 pt-1">
            <Bone className={index % 2 === 0 ? "h-3.5 w-56" : "h-3.5 w-44"} />
            {index % 3 !== 2 && <Bone className="h-3.5 w-4/5 opacity-60" />}
          </div>
        </>
      )}
    </Loading>
  );
}
