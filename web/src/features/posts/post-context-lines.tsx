import {
  Flame,
  type LucideIcon,
  PenLine,
  Repeat2,
  Sprout,
  UserRoundCheck,
  UsersRound,
} from "lucide-react";
import { Fragment } from "react";
import { Link } from "wouter";
import type { Post, FeedReason, Reposters } from "@/api/types";
import { pluralize } from "@/lib/text/format-number";
import { cx } from "@/lib/dom/cx";

const reasonIcons: Readonly<Record<string, LucideIcon>> = {
  own: PenLine,
  following: UserRoundCheck,
  followed_by: UsersRound,
  follows_you: UsersRound,
  popular: Flame,
  new: Sprout,
};

export function FeedReasonLine({ reason }: { reason: FeedReason }) {
  const Icon = reasonIcons[reason.code] ?? Sprout;
  return (
    <p className="mb-1 flex items-center gap-2 pl-8 text-sm text-muted-foreground">
      <Icon size={16} strokeWidth={1.8} aria-hidden className="shrink-0" />
      <span className="min-w-0 truncate">{reason.message}</span>
    </p>
  );
}

export function RepostedByLine({ reposters: { members, count } }: { reposters: Reposters }) {
  const others = count - members.length;
  return (
    <p className="mb-1.5 flex items-center gap-2 pl-8 text-sm font-medium text-muted-foreground">
      <Repeat2 size={16} aria-hidden className="shrink-0" />
      {/* Two long names may not push out that there are others. */}
      <span className={cx("min-w-0", members.length > 1 ? "wrap-anywhere" : "truncate")}>
        {members.map((user, index) => (
          <Fragment key={user.id}>
            {index > 0 && (others > 0 ? ", " : " and ")}
            <Link href={`/profile/${user.username}`} className="hover:underline">
              {user.displayName || user.username}
            </Link>
          </Fragment>
        ))}
        {others > 0 && ` and ${others} ${pluralize(others, "other")}`} reposted
      </span>
    </p>
  );
}

export function ReplyContextLine({ post }: { post: Post }) {
  if (!post.replyTo) return null;
  return (
    <p className="text-sm text-muted-foreground">
      Replying to{" "}
      <Link
        href={`/post/${post.replyTo.id}`}
        className="font-medium text-primary-strong underline decoration-primary/40 underline-offset-3 hover:decoration-current"
      >
        @{post.replyTo.author.username}
      </Link>
    </p>
  );
}
