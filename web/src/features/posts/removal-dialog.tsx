import { sendRemoval } from "@/api/moderation";
import { removePost } from "@/api/post-removal";
import type { Post } from "@/api/types";
import { DeedDialog, removalOf } from "@/ui/deed-dialog";

interface Props {
  post: Post;
  onClose: () => void;
  /** Runs once the post is removed, while it still is in sight. */
  onRemoved?: (() => void) | undefined;
}

/** Asks a moderator why somebody's post is to be removed, and removes it. */
export default function RemovalDialog({ post, onClose, onRemoved }: Props) {
  const deed = removalOf(post.author.username, async (note) => {
    await sendRemoval(post.id, note);
    onRemoved?.();
    removePost(post);
  });
  return <DeedDialog deed={deed} form={`remove:${post.id}`} onClose={onClose} />;
}
