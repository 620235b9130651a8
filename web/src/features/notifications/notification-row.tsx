import { AtSign, Heart, type LucideIcon, MessageCircle, Repeat2, UserPlus } from "lucide-react";
import { Link } from "wouter";
import type { Notification } from "@/api/types";
import { cx } from "@/lib/cx";
import { Age } from "@/ui/age";
import { Avatar } from "@/ui/avatar";
import { deedOf, placeOf } from "./notification-text";
import { useRead } from "./use-read";

const marks: Record<Notification["type"], { icon: LucideIcon; colour: string }> = {
  follow: { icon: UserPlus, colour: "bg-ember-deep" },
  like: { icon: Heart, colour: "bg-like" },
  reply: { icon: MessageCircle, colour: "bg-ember-deep" },
  repost: { icon: Repeat2, colour: "bg-repost" },
  mention: { icon: AtSign, colour: "bg-ember-deep" },
};

/** Who did what, and to which post. The whole row leads there, and is read by going there. */
export function NotificationRow({ notification }: { notification: Notification }) {
  const read = useRead();
  const { id, type, actor, post, isRead, createdAt } = notification;
  const { icon: Icon, colour } = marks[type];
  const markRead = () => {
    if (!isRead) read(id);
  };
  return (
    <li className="border-b border-line">
      <Link
        href={placeOf(notification)}
        // Opening it in a new tab reads it too; the link itself does not report those clicks.
        onClickCapture={markRead}
        onAuxClick={(event) => event.button === 1 && markRead()}
        className={cx(
          "flex gap-4 px-4 py-4 transition-colors duration-150 focus-visible:-outline-offset-2 sm:px-5",
          isRead ? "hover:bg-wash/50" : "bg-wash/60 hover:bg-wash",
        )}
      >
        <span aria-hidden className="relative h-fit">
          <Avatar member={actor} />
          <span
            className={cx(
              "absolute -right-1.5 -bottom-1 flex size-5.5 items-center justify-center rounded-full text-paper ring-2 ring-paper",
              colour,
            )}
          >
            <Icon size={12} strokeWidth={2.6} {...(type === "like" && { fill: "currentColor" })} />
          </span>
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {!isRead && <span className="sr-only">Unread: </span>}
              <bdi className="font-semibold">{actor.displayName || actor.username}</bdi>{" "}
              {deedOf(notification)}
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
