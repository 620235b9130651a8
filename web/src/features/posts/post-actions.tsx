import { Heart, MessageCircle, Repeat2, Share } from "lucide-react";
import type { ReactNode } from "react";
import { handleMutationError } from "@/api/handle-mutation-error";
import { queryKeys } from "@/api/query-keys";
import { updatePostInCache, withLike, withRepost } from "@/api/post-cache";
import { setLike, setRepost } from "@/api/posts";
import { markStale } from "@/api/query-client";
import type { Post } from "@/api/types";
import { formatCompact } from "@/lib/text/format-number";
import { cx } from "@/lib/dom/cx";
import { createToggleQueue } from "@/lib/state/toggle-queue";
import { openCompose } from "./compose";
import { sharePost } from "./share";

/** Likes and reposts on their way to the server. */
const likes = createToggleQueue({
  send: setLike,
  confirm(id, on) {
    updatePostInCache(id, (post) => withLike(post, on));
    markStale(queryKeys.users);
  },
});
const reposts = createToggleQueue({
  send: setRepost,
  confirm(id, on) {
    updatePostInCache(id, (post) => withRepost(post, on));
    markStale(queryKeys.feeds, queryKeys.users);
  },
});

/** The post as the member wants it to be, ahead of the server where a toggle is under way. */
function useOptimistic(post: Post): Post {
  const like = likes.useRequested(post.id);
  const repost = reposts.useRequested(post.id);
  const liked = like === undefined ? post : withLike(post, like);
  return repost === undefined ? liked : withRepost(liked, repost);
}

const fail = (action: string) => (error: unknown) =>
  handleMutationError(error, `Failed to ${action}. Please try again.`);

/** The lists of a profile have a text of their own. */
const likeAction = () => (location.pathname.startsWith("/profile/") ? "like post" : "update like");

/** Reply, repost, like and share. Toggles change at once, and back if the server rejects it. */
export function PostActions({ post }: { post: Post }) {
  const shown = useOptimistic(post);
  return (
    <div className="mt-2 -ml-2.5 flex max-w-md items-center justify-between">
      <Action
        name="reply"
        label="Reply"
        count={shown.replyCount}
        tone="hover:text-ember-deep"
        onClick={() => openCompose(post)}
      >
        <MessageCircle size={19} aria-hidden />
      </Action>
      <Action
        name="repost"
        label={shown.isReposted ? "Undo repost" : "Repost"}
        count={shown.repostCount}
        pressed={shown.isReposted}
        tone={shown.isReposted ? "text-repost font-semibold" : "hover:text-repost"}
        onClick={() => reposts.set(post.id, !shown.isReposted, post.isReposted, fail("repost"))}
      >
        <Repeat2
          size={20}
          aria-hidden
          strokeWidth={shown.isReposted ? 2.6 : 2}
          className={cx(shown.isReposted && "animate-pop")}
        />
      </Action>
      <Action
        name="like"
        label={shown.isLiked ? "Unlike" : "Like"}
        count={shown.likeCount}
        pressed={shown.isLiked}
        tone={shown.isLiked ? "text-like font-semibold" : "hover:text-like"}
        onClick={() => likes.set(post.id, !shown.isLiked, post.isLiked, fail(likeAction()))}
      >
        <Heart size={19} aria-hidden className={cx(shown.isLiked && "animate-pop fill-current")} />
      </Action>
      <Action
        name="share"
        label="Share"
        tone="hover:text-ink"
        onClick={() => void sharePost(post.id)}
      >
        <Share size={18} aria-hidden />
      </Action>
    </div>
  );
}

interface ActionProps {
  /** How the keyboard shortcuts find the button. */
  name: string;
  label: string;
  count?: number;
  pressed?: boolean;
  tone: string;
  onClick: () => void;
  children: ReactNode;
}

function Action({ name, label, count, pressed, tone, onClick, children }: ActionProps) {
  const hasCount = count !== undefined && count > 0;
  return (
    <button
      type="button"
      data-action={name}
      onClick={onClick}
      title={label}
      aria-label={hasCount ? `${label}, ${count}` : label}
      {...(pressed !== undefined && { "aria-pressed": pressed })}
      className={cx(
        "inline-flex h-9 min-w-9 items-center gap-1.5 rounded-full px-2.5 text-sm transition-colors duration-150 hover:bg-wash",
        tone.startsWith("hover:") && "text-muted",
        tone,
      )}
    >
      {children}
      <span className="min-w-[1ch] tabular-nums">{hasCount && formatCompact(count)}</span>
    </button>
  );
}
