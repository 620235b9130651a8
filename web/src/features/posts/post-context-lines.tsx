import { Plural, Trans } from "@lingui/react/macro";
import {
  Flame,
  type LucideIcon,
  PenLine,
  Repeat2,
  Sprout,
  UserRoundCheck,
  UsersRound,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Post, FeedReason, Reposters } from "@/api/types";
import { getReasonText } from "@/components/reason-text";
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
    <p className="mb-1 flex items-center gap-2 ps-8 text-sm text-muted-foreground">
      <Icon size={16} strokeWidth={1.8} aria-hidden className="shrink-0" />
      <span className="min-w-0 truncate">{getReasonText(reason)}</span>
    </p>
  );
}

export function RepostedByLine({ reposters: { members, count } }: { reposters: Reposters }) {
  const others = count - members.length;
  const links = members.map((user) => (
    <Link key={user.id} href={`/profile/${user.username}`} className="hover:underline">
      {user.displayName || user.username}
    </Link>
  ));
  return (
    <p className="mb-1.5 flex items-center gap-2 ps-8 text-sm font-medium text-muted-foreground">
      <Repeat2 size={16} aria-hidden className="shrink-0" />
      {/* Two long names may not push out that there are others. */}
      <span className={cx("min-w-0", members.length > 1 ? "wrap-anywhere" : "truncate")}>
        <RepostersText links={links} others={others} />
      </span>
    </p>
  );
}

/** "A", "A and B", or "A, B and 3 others" reposted. The server names one or two of them. */
function RepostersText({ links, others }: { links: ReactNode[]; others: number }) {
  const [first, second] = links;
  if (!second) {
    return others > 0 ? (
      <Trans>
        {first} and <Plural value={others} one="# other" other="# others" /> reposted
      </Trans>
    ) : (
      <Trans>{first} reposted</Trans>
    );
  }
  return others > 0 ? (
    <Trans>
      {first}, {second} and <Plural value={others} one="# other" other="# others" /> reposted
    </Trans>
  ) : (
    <Trans>
      {first} and {second} reposted
    </Trans>
  );
}

export function ReplyContextLine({ post }: { post: Post }) {
  if (!post.replyTo) return null;
  return (
    <p className="text-sm text-muted-foreground">
      <Trans>
        Replying to{" "}
        <Link
          href={`/post/${post.replyTo.id}`}
          dir="auto"
          className="font-medium text-primary-strong underline decoration-primary/40 underline-offset-3 hover:decoration-current"
        >
          @{post.replyTo.author.username}
        </Link>
      </Trans>
    </p>
  );
}
