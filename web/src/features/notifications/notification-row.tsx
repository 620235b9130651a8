import { Link } from "wouter";
import { useMember } from "@/api/session";
import type { MemberRef } from "@/api/types";
import { cx } from "@/lib/cx";
import { Age } from "@/ui/age";
import { namesOf, type NotificationGroup } from "./notification-groups";
import { ActorStack, NotificationSign } from "./notification-sign";
import { deedOf, placeOf } from "./notification-text";
import { useRead } from "./use-read";

/** Who did what, and to which post. The whole row leads there, and is read by going there. */
export function NotificationRow({ group }: { group: NotificationGroup }) {
  const me = useMember();
  const read = useRead();
  const { actors, post, unreadIds, createdAt } = group;
  const isRead = unreadIds.length === 0;
  const markRead = () => {
    for (const id of unreadIds) read(id);
  };
  return (
    <li className="border-b border-line">
      <Link
        href={placeOf(group, me.username)}
        data-row
        // Opening it in a new tab reads it too; the link itself does not report those clicks.
        onClickCapture={markRead}
        onAuxClick={(event) => event.button === 1 && markRead()}
        className={cx(
          "flex gap-4 px-4 py-4 transition-colors duration-150 focus-visible:-outline-offset-2 sm:px-5",
          isRead ? "hover:bg-wash/50" : "bg-wash/60 hover:bg-wash",
        )}
      >
        <NotificationSign type={group.type} actors={actors} />
        <span className="min-w-0 flex-1">
          <ActorStack actors={actors} />
          <span className="flex items-baseline gap-2">
            <span className="clip-marks min-w-0 flex-1 [overflow-wrap:anywhere]">
              {!isRead && <span className="sr-only">Unread: </span>}
              <Names actors={actors} /> {deedOf(group)}
            </span>
            <span className="flex shrink-0 items-center gap-2 text-sm text-muted">
              <Age at={createdAt} />
              <span
                aria-hidden
                className={cx("size-2 rounded-full", isRead ? "invisible" : "bg-ember")}
              />
            </span>
          </span>
          {post && (
            <span
              dir="auto"
              className="mt-1 line-clamp-2 pr-4 whitespace-pre-line text-muted [overflow-wrap:anywhere]"
            >
              {post.content}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

/** "A", "A and B", or "A, B and 3 others". */
function Names({ actors }: { actors: readonly MemberRef[] }) {
  const { named, others } = namesOf(actors);
  return (
    <>
      {named.map((actor, index) => (
        <span key={actor.id}>
          {index > 0 && (others > 0 ? ", " : " and ")}
          <bdi className="font-semibold">{actor.displayName || actor.username}</bdi>
        </span>
      ))}
      {others > 0 && ` and ${others} ${others === 1 ? "other" : "others"}`}
    </>
  );
}
