import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { memo, type MouseEvent, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import type { PostRow } from "@/api/post-cache";
import { postQuery } from "@/api/posts";
import type { Post, FeedReason, Reposters } from "@/api/types";
import { cx } from "@/lib/dom/cx";
import { RelativeTime } from "@/ui/relative-time";
import { Avatar } from "@/ui/avatar";
import { UserNameLink } from "@/components/user-name-link";
import { ClampedText } from "./clamped-text";
import { Poll } from "./poll";
import { PostActions } from "./post-actions";
import { PostMedia } from "./post-media";
import { FeedReasonLine, ReplyContextLine, RepostedByLine } from "./post-context-lines";
import { isAncestor, type ThreadPosition, ThreadLine, Tombstone } from "./thread-line";

/** Renders the menu of a post; `onDeleted` runs once the post is gone, while it still is in sight. */
export type RenderPostMenu = (post: Post, onDeleted?: () => void) => ReactNode;

interface Props extends PostRow {
  position?: ThreadPosition;
  renderMenu: RenderPostMenu;
}

/** A post in a list. Memoised: a list of thousands that grows renders its new posts only. */
export const PostCard = memo(function PostCard(props: Props) {
  const { id, reason, reposters, position, renderMenu } = props;
  const { data: post } = useQuery(postQuery(id));
  if (!post) return null;
  // Only a thread keeps the place of what was deleted.
  if (post.isDeleted) {
    return position ? <Tombstone position={position} isHidden={post.isHidden} /> : null;
  }
  if (!post.repostOfId) {
    return <Card post={post} reason={reason} position={position} renderMenu={renderMenu} />;
  }
  const by = reposters ?? { members: [post.author], count: 1 };
  if (!post.repostOf) {
    return (
      <div className="border-b border-border px-4 py-3.5 sm:px-5">
        <RepostedByLine reposters={by} />
        <p className="ps-14 text-muted-foreground">
          <Trans>This post is no longer available.</Trans>
        </p>
      </div>
    );
  }
  return <OriginalCard id={post.repostOf.id} reposters={by} renderMenu={renderMenu} />;
});

interface OriginalCardProps {
  id: string;
  reposters: Reposters;
  renderMenu: RenderPostMenu;
}

function OriginalCard({ id, reposters, renderMenu }: OriginalCardProps) {
  const { data: post } = useQuery(postQuery(id));
  return post && !post.isDeleted ? (
    <Card post={post} reposters={reposters} renderMenu={renderMenu} />
  ) : null;
}

interface CardProps {
  post: Post;
  reposters?: Reposters;
  reason?: FeedReason | undefined;
  position?: ThreadPosition | undefined;
  renderMenu: RenderPostMenu;
}

function Card({ post, reposters, reason, position, renderMenu }: CardProps) {
  const handlers = useClickableCard(post.id);
  const { author } = post;
  // Elsewhere in a thread the answered post is right above it.
  const hasReplyLine = position === undefined || position === "top" || position === "nested";
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the age inside is the same link for keyboards
    <article
      {...handlers}
      tabIndex={-1}
      data-row={post.id}
      aria-label={t`Post by ${author.displayName || author.username}`}
      className={cx(
        "relative cursor-pointer scroll-my-20 -outline-offset-2 border-border px-4 pt-3.5 pb-2 transition-colors duration-150 hover:bg-muted/50 sm:px-5",
        !isAncestor(position) && "border-b",
        position === "nested" && "ps-10 sm:ps-16",
      )}
    >
      {isAncestor(position) && (
        <ThreadLine from={position === "top" ? "avatar" : "edge"} to="edge" />
      )}
      {reposters && <RepostedByLine reposters={reposters} />}
      {reason && <FeedReasonLine reason={reason} />}
      <div className="flex gap-3">
        <Link
          href={`/profile/${author.username}`}
          tabIndex={-1}
          aria-hidden
          className={cx(
            "relative flex h-fit rounded-full bg-background",
            position === "nested" && "pointer-coarse:-m-1 pointer-coarse:p-1",
          )}
        >
          <Avatar user={author} size={position === "nested" ? "small" : "medium"} />
        </Link>
        <div className="min-w-0 flex-1">
          <div className="flex min-w-0 items-baseline gap-1.5 leading-5">
            <UserNameLink user={author} />
            <span className="max-w-3/5 shrink-0 truncate text-sm text-muted-foreground">
              <bdi>@{author.username}</bdi>
            </span>
            <Link
              href={`/post/${post.id}`}
              data-action="open"
              className="shrink-0 text-sm whitespace-nowrap text-muted-foreground hover:underline"
            >
              <span aria-hidden>· </span>
              <RelativeTime at={post.createdAt} />
            </Link>
            {renderMenu(post)}
          </div>
          {hasReplyLine && <ReplyContextLine post={post} />}
          <div className="mt-0.5">
            <ClampedText post={post} />
          </div>
          <PostMedia post={post} variant={position === "nested" ? "nested" : "card"} />
          <Poll post={post} />
          <PostActions post={post} />
        </div>
      </div>
    </article>
  );
}

const INTERACTIVE_SELECTOR = "a, button, input, textarea, [role='button'], [role='menuitem']";

/** Handlers that make a card a link to its post, but for buttons, links and selected text inside. */
function useClickableCard(id: string) {
  const [, navigate] = useLocation();
  const href = `/post/${id}`;
  return {
    onClick(event: MouseEvent) {
      if (!isCardClick(event) || event.defaultPrevented || event.shiftKey || event.altKey) return;
      if (getSelection()?.isCollapsed === false) return;
      if (event.ctrlKey || event.metaKey) window.open(href, "_blank", "noopener");
      else navigate(href);
    },
    onMouseDown(event: MouseEvent) {
      // Keeps a middle click from starting to scroll.
      if (event.button === 1 && isCardClick(event)) event.preventDefault();
    },
    onAuxClick(event: MouseEvent) {
      if (event.button === 1 && isCardClick(event)) window.open(href, "_blank", "noopener");
    },
  };
}

/** Whether a click is for the card itself; one in a dialog that the card opened is not. */
function isCardClick(event: MouseEvent): boolean {
  return (
    event.target instanceof Element &&
    event.currentTarget.contains(event.target) &&
    event.target.closest(INTERACTIVE_SELECTOR) === null
  );
}
