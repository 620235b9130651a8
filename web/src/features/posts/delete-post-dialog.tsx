import { t } from "@lingui/core/macro";
import { useMutation } from "@tanstack/react-query";
import { deferCounts } from "@/api/live/live-counts";
import { removePostFromCache } from "@/api/post-removal";
import { deletePost } from "@/api/posts";
import type { Post } from "@/api/types";
import { toast } from "@/lib/state/toast";
import ConfirmDialog from "@/ui/confirm-dialog";

interface Props {
  post: Post;
  onClose: () => void;
  onDeleted: (() => void) | undefined;
}

export default function DeletePostDialog({ post, onClose, onDeleted }: Props) {
  const remove = useMutation({
    mutationFn: () => deletePost(post.id),
    onMutate: () => (post.replyToId ? deferCounts(post.replyToId) : undefined),
    onSettled: (_data, _error, _variables, releaseCounts) => releaseCounts?.(),
    meta: { failure: t`Failed to delete post. Please try again.` },
    onSuccess() {
      onDeleted?.();
      removePostFromCache(post);
      toast({ title: t`Post deleted` });
    },
  });
  return (
    <ConfirmDialog
      title={post.replyToId ? t`Delete this reply?` : t`Delete this post?`}
      description={t`It disappears for everyone, with its likes and reposts. What others replied stays.`}
      action={t`Delete`}
      pendingAction={t`Deleting...`}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
