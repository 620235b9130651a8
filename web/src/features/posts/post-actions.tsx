import { Heart, MessageCircle, Repeat2, Share } from "lucide-react";
import type { ReactNode } from "react";
import { showFailure } from "@/api/failure";
import type { Post } from "@/api/types";
import { compactCount } from "@/lib/count";
import { cx } from "@/lib/cx";
import { openCompose } from "./compose";
import { sharePost } from "./share";
import { likes, reposts, useWished } from "./toggles";

interface Props {
  post: Post;
  /** What to say when a like fails. */
  likeFailure: string;
}

/** Reply, repost, like and share. Toggles answer at once and go back if the server refuses. */
export function PostActions({ post, likeFailure }: Props) {
  const shown = useWished(post);
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
        onClick={() =>
          reposts.set(post.id, !shown.isReposted, post.isReposted, (error) =>
            showFailure(error, "Failed to repost. Please try again."),
          )
        }
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
        onClick={() =>
          likes.set(post.id, !shown.isLiked, post.isLiked, (error) =>
            showFailure(error, likeFailure),
          )
        }
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
      <span className="min-w-[1ch] tabular-nums">{hasCount && compactCount(count)}</span>
    </button>
  );
}
