import { t } from "@lingui/core/macro";
import { MessageCircle, PenLine } from "lucide-react";
import { useRoute } from "wouter";
import { useOriginalPost } from "@/api/posts";
import { openCompose } from "@/features/posts/compose-dialog-store";

/** Floating button of small screens. Opens the composer; on a thread, for a reply to the thread's post. */
export function ComposeButton() {
  const post = useThreadPost();
  const authorName = post?.author.displayName || (post?.author.username ?? "");
  const Icon = post ? MessageCircle : PenLine;
  return (
    <button
      type="button"
      aria-label={post ? t`Reply to ${authorName}` : t`New Post`}
      onClick={() => openCompose(post)}
      className="flex size-12 shrink-0 items-center justify-center rounded-full border border-transparent bg-primary-strong text-primary-foreground transition-transform active:scale-95"
    >
      <Icon size={21} aria-hidden />
    </button>
  );
}

/**
 * The post that the thread on screen is about, as long as it can be replied to. The screen has fetched it;
 * nothing is fetched for the button.
 */
function useThreadPost() {
  const [, params] = useRoute("/post/:id");
  const post = useOriginalPost(params?.id ?? "", false);
  return post && !post.isDeleted ? post : null;
}
