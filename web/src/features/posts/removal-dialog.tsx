import { api } from "@/api/client";
import { removePostFromCache } from "@/api/post-removal";
import type { Post } from "@/api/types";
import { ModerationDialog, removalOf } from "@/ui/moderation-dialog";

interface Props {
  post: Post;
  onClose: () => void;
  onDeleted: (() => void) | undefined;
}

/** Asks a moderator why a post is to be removed, and removes it. */
export default function RemovalDialog({ post, onClose, onDeleted }: Props) {
  const { id, author } = post;
  const action = removalOf(author.username, async (note) => {
    await api.PUT("/api/admin/posts/{id}/removal", { params: { path: { id } }, body: { note } });
    onDeleted?.();
    removePostFromCache(post);
  });
  return <ModerationDialog action={action} form={`remove:${id}`} onClose={onClose} />;
}
