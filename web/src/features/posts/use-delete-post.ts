import { useMutation } from "@tanstack/react-query";
import { showFailure } from "@/api/failure";
import { removePost } from "@/api/post-removal";
import { deletePost } from "@/api/posts";
import type { Post } from "@/api/types";
import { toast } from "@/lib/toast";

/** Deletes my post and takes it out of sight; `onDeleted` runs while it still is in sight. */
export function useDeletePost(post: Post, onDeleted: () => void) {
  return useMutation({
    mutationFn: () => deletePost(post.id),
    onSuccess() {
      onDeleted();
      removePost(post);
      toast({ title: "Post deleted" });
    },
    onError: (error) => showFailure(error, "Failed to delete post. Please try again."),
  });
}
