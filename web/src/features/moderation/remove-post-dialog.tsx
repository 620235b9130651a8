import { api } from "@/api/client";
import { withDeferredCounts } from "@/api/live/live-counts";
import { removePostFromCache } from "@/api/post-removal";
import type { Post } from "@/api/types";
import { ModerationActionDialog, createRemovePostAction } from "./moderation-action-dialog";

interface Props {
  post: Post;
  onClose: () => void;
  onDeleted: (() => void) | undefined;
}

/** Asks a moderator why a post is to be removed, and removes it. */
export default function RemovePostDialog({ post, onClose, onDeleted }: Props) {
  const { id, author, replyToId } = post;
  const action = createRemovePostAction(author.username, (body) =>
    withDeferredCounts(replyToId ?? id, async () => {
      await api.PUT("/api/admin/posts/{id}/removal", { params: { path: { id } }, body });
      onDeleted?.();
      removePostFromCache(post);
    }),
  );
  return <ModerationActionDialog action={action} inputKey={`remove:${id}`} onClose={onClose} />;
}
