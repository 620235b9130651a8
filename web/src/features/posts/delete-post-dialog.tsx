import { useMutation } from "@tanstack/react-query";
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
    meta: { failure: "Failed to delete post. Please try again." },
    onSuccess() {
      onDeleted?.();
      removePostFromCache(post);
      toast({ title: "Post deleted" });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete this ${post.replyToId ? "reply" : "post"}?`}
      description="It disappears for everyone, with its likes and reposts. What others replied stays."
      action="Delete"
      pendingAction="Deleting..."
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
