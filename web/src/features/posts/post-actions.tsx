import { t } from "@lingui/core/macro";
import { Heart, MessageCircle, Repeat2, Share } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { handleMutationError } from "@/api/handle-mutation-error";
import { withDeferredCounts } from "@/api/live/live-counts";
import { postsInSight } from "@/api/live/posts-in-sight";
import { queryKeys } from "@/api/query-keys";
import { updatePostInCache, withLike, withRepost } from "@/api/post-cache";
import { setLike, setRepost } from "@/api/posts";
import { markStale } from "@/api/query-client";
import type { Post } from "@/api/types";
import { formatCompact } from "@/lib/text/format-number";
import { cx } from "@/lib/dom/cx";
import { createToggleQueue } from "@/lib/state/toggle-queue";
import { openCompose } from "./compose-dialog-store";
import { sharePost } from "./share";

/** Likes and reposts on their way to the server. */
const likeQueue = createToggleQueue({
  send: (id, on) => withDeferredCounts(id, () => setLike(id, on)),
  confirm(id, on) {
    updatePostInCache(id, (post) => withLike(post, on));
    markStale(queryKeys.users);
  },
});
const repostQueue = createToggleQueue({
  send: (id, on) => withDeferredCounts(id, () => setRepost(id, on)),
  confirm(id, on) {
    updatePostInCache(id, (post) => withRepost(post, on));
    markStale(queryKeys.feeds, queryKeys.users);
  },
});

/** The post as the member wants it to be, ahead of the server where a toggle is under way. */
function useOptimisticPost(post: Post): Post {
  const like = likeQueue.useRequested(post.id);
  const repost = repostQueue.useRequested(post.id);
  const liked = like === undefined ? post : withLike(post, like);
  return repost === undefined ? liked : withRepost(liked, repost);
}

const handleRepostError = (error: unknown) =>
  handleMutationError(error, t`Failed to repost. Please try again.`);

/** The lists of a profile have a text of their own. */
const handleLikeError = (error: unknown) =>
  handleMutationError(
    error,
    location.pathname.startsWith("/profile/")
      ? t`Failed to like post. Please try again.`
      : t`Failed to update like. Please try again.`,
  );

/** Reply, repost, like and share. Toggles change at once, and back if the server rejects it. */
export function PostActions({ post }: { post: Post }) {
  const optimisticPost = useOptimisticPost(post);
  const row = useRef<HTMLDivElement>(null);
  useEffect(
    () => (row.current ? postsInSight.observe(row.current, post.id) : undefined),
    [post.id],
  );
  return (
    // Columns, so that a count that grows moves nothing beside it.
    <div
      ref={row}
      className="mt-2 -ms-2.5 grid max-w-md grid-cols-[repeat(3,minmax(0,1fr))_auto] items-center justify-items-start"
    >
      <ActionButton
        name="reply"
        label={t`Reply`}
        count={optimisticPost.replyCount}
        colorClass="hover:text-primary-strong"
        onClick={() => openCompose(post)}
      >
        <MessageCircle size={19} aria-hidden />
      </ActionButton>
      <ActionButton
        name="repost"
        label={optimisticPost.isReposted ? t`Undo repost` : t`Repost`}
        count={optimisticPost.repostCount}
        isPressed={optimisticPost.isReposted}
        colorClass={optimisticPost.isReposted ? "text-repost font-semibold" : "hover:text-repost"}
        onClick={() =>
          repostQueue.set(post.id, !optimisticPost.isReposted, post.isReposted, handleRepostError)
        }
      >
        <Repeat2
          size={20}
          aria-hidden
          strokeWidth={optimisticPost.isReposted ? 2.6 : 2}
          className={cx(optimisticPost.isReposted && "animate-pop")}
        />
      </ActionButton>
      <ActionButton
        name="like"
        label={optimisticPost.isLiked ? t`Unlike` : t`Like`}
        count={optimisticPost.likeCount}
        isPressed={optimisticPost.isLiked}
        colorClass={optimisticPost.isLiked ? "text-like font-semibold" : "hover:text-like"}
        onClick={() =>
          likeQueue.set(post.id, !optimisticPost.isLiked, post.isLiked, handleLikeError)
        }
      >
        <Heart
          size={19}
          aria-hidden
          className={cx(optimisticPost.isLiked && "animate-pop fill-current")}
        />
      </ActionButton>
      <ActionButton
        name="share"
        label={t`Share`}
        colorClass="hover:text-foreground"
        onClick={() => void sharePost(post.id)}
      >
        <Share size={18} aria-hidden />
      </ActionButton>
    </div>
  );
}

interface ActionProps {
  /** How the keyboard shortcuts find the button. */
  name: string;
  label: string;
  count?: number;
  isPressed?: boolean;
  colorClass: string;
  onClick: () => void;
  children: ReactNode;
}

function ActionButton({
  name,
  label,
  count,
  isPressed,
  colorClass,
  onClick,
  children,
}: ActionProps) {
  const hasCount = count !== undefined && count > 0;
  return (
    <button
      type="button"
      data-action={name}
      onClick={onClick}
      title={label}
      aria-label={hasCount ? `${label}, ${count}` : label}
      {...(isPressed !== undefined && { "aria-pressed": isPressed })}
      className={cx(
        "inline-flex h-9 min-w-9 items-center gap-1.5 rounded-full px-2.5 text-sm transition-colors duration-150 hover:bg-muted",
        colorClass.startsWith("hover:") && "text-muted-foreground",
        colorClass,
      )}
    >
      {children}
      <span className="min-w-[1ch] tabular-nums">{hasCount && formatCompact(count)}</span>
    </button>
  );
}
