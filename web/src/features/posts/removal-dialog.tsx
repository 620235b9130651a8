import { sendRemoval } from "@/api/moderation";
import { removePost } from "@/api/post-removal";
import type { Post } from "@/api/types";
import { DeedDialog, removalOf } from "@/ui/deed-dialog";

interface Props {
  post: Post;
  onClose: () => void;
  onDeleted: (() => void) | undefined;
}

export default function RemovalDialog({ post, onClose, onDeleted }: Props) {
  const deed = removalOf(post.author.username, async (note) => {
    await sendRemoval(post.id, note);
    onDeleted?.();
    removePost(post);
  });
  return <DeedDialog deed={deed} form={`remove:${post.id}`} onClose={onClose} />;
}
