import { Plural, Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { AtSign, Heart, type LucideIcon, MessageCircle, Repeat2, UserPlus } from "lucide-react";
import { Link } from "wouter";
import { setReadInCache, markNotificationsRead } from "@/api/notifications";
import { useCurrentUser } from "@/api/auth";
import type { UserSummary, Notification } from "@/api/types";
import { cx } from "@/lib/dom/cx";
import { RelativeTime } from "@/ui/relative-time";
import { Avatar } from "@/ui/avatar";
import { NotificationMenu } from "./notification-menu";
import { getActionText, getNotificationHref, type NotificationGroup } from "./group-notifications";

/** Several members who did something, and to which post. The whole row leads there, and is read by that. */
export function NotificationItem({ group }: { group: NotificationGroup }) {
  const currentUser = useCurrentUser();
  // Read at once; it goes back without a word if the server rejects it.
  const markReadMutation = useMutation({
    mutationFn: markNotificationsRead,
    onMutate: (ids) => setReadInCache(ids, true),
    // A list that was under way meanwhile may have shown them as unread again.
    onSuccess: (_, ids) => setReadInCache(ids, true),
    onError: (_, ids) => setReadInCache(ids, false),
  });
  const { actors, post, unreadIds, createdAt } = group;
  const isRead = unreadIds.length === 0;
  const markRead = () => !isRead && markReadMutation.mutate(unreadIds);
  return (
    <li className="relative border-b border-border">
      <Link
        href={getNotificationHref(group, currentUser.username)}
        data-row
        // Opening it in a new tab reads it too; the link itself does not report those clicks.
        onClickCapture={markRead}
        onAuxClick={(event) => event.button === 1 && markRead()}
        className={cx(
          "flex gap-4 px-4 py-4 transition-colors duration-150 focus-visible:-outline-offset-2 sm:px-5",
          isRead ? "hover:bg-muted/50" : "bg-muted/60 hover:bg-muted",
        )}
      >
        <NotificationIcon group={group} />
        <span className="min-w-0 flex-1">
          {actors.length > 1 && (
            <span aria-hidden className="mb-1.5 flex -space-x-1.5">
              {actors.slice(0, MAX_AVATARS).map((actor) => (
                <Avatar
                  key={actor.id}
                  user={actor}
                  size="small"
                  className="ring-2 ring-background"
                />
              ))}
            </span>
          )}
          <span className="flex items-baseline gap-2">
            <span className="clip-marks min-w-0 flex-1 wrap-anywhere">
              {!isRead && (
                <span className="sr-only">
                  <Trans>Unread:</Trans>{" "}
                </span>
              )}
              <ActorNames actors={actors} /> {getActionText(group.type, actors.length)}
            </span>
            <span className="flex shrink-0 items-center gap-2 text-sm text-muted-foreground">
              <RelativeTime at={createdAt} />
              <span
                aria-hidden
                className={cx(
                  "size-2 rounded-full forced-colors:bg-highlight",
                  isRead ? "invisible" : "bg-primary",
                )}
              />
            </span>
          </span>
          {post && (
            // The room for the menu is on the side of the page's direction, whatever the text's is.
            <span className="mt-1 block pe-8">
              <span
                dir="auto"
                className="line-clamp-2 whitespace-pre-line text-muted-foreground wrap-anywhere"
              >
                {post.content}
              </span>
            </span>
          )}
        </span>
      </Link>
      {post && <NotificationMenu postId={post.id} />}
    </li>
  );
}

const MAX_AVATARS = 6;
const MAX_NAMES = 2;

/** "A", "A and B", or "A, B and 3 others". */
function ActorNames({ actors }: { actors: readonly UserSummary[] }) {
  const others = actors.length - MAX_NAMES;
  const [first, second] = actors.map((actor) => (
    <bdi key={actor.id} className="font-semibold">
      {actor.displayName || actor.username}
    </bdi>
  ));
  if (!second) return first;
  if (others <= 0) {
    return (
      <Trans>
        {first} and {second}
      </Trans>
    );
  }
  return (
    <Trans>
      {first}, {second} and <Plural value={others} one="# other" other="# others" />
    </Trans>
  );
}

const iconStyles: Record<Notification["type"], { icon: LucideIcon; ground: string; text: string }> =
  {
    follow: { icon: UserPlus, ground: "bg-primary-strong", text: "text-primary-strong" },
    like: { icon: Heart, ground: "bg-like", text: "text-like" },
    reply: { icon: MessageCircle, ground: "bg-primary-strong", text: "text-primary-strong" },
    repost: { icon: Repeat2, ground: "bg-repost", text: "text-repost" },
    mention: { icon: AtSign, ground: "bg-primary-strong", text: "text-primary-strong" },
  };

/** An icon for the action: on the picture of its actor, or by itself where there are several. */
function NotificationIcon({ group: { type, actors } }: { group: NotificationGroup }) {
  const [actor, ...others] = actors;
  const { icon: Icon, ground, text } = iconStyles[type];
  const fill = type === "like" && { fill: "currentColor" };
  if (!actor || others.length > 0) {
    return (
      <span aria-hidden className={cx("flex w-11 shrink-0 justify-center pt-1.5", text)}>
        <Icon size={24} strokeWidth={2.2} {...fill} />
      </span>
    );
  }
  return (
    <span aria-hidden className="relative h-fit">
      <Avatar user={actor} />
      <span
        className={cx(
          "absolute -end-1.5 -bottom-1 flex size-5.5 items-center justify-center rounded-full text-background ring-2 ring-background",
          ground,
        )}
      >
        <Icon size={12} strokeWidth={2.6} {...fill} />
      </span>
    </span>
  );
}
