import { useSyncExternalStore } from "react";
import { keys } from "@/api/keys";
import { patchPost, withLike, withRepost } from "@/api/post-cache";
import { sendLike, sendRepost } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import type { Post } from "@/api/types";
import { ToggleQueue } from "@/lib/toggle-queue";

/** Likes on their way to the server. */
export const likes = new ToggleQueue({
  send: sendLike,
  confirm(id, on) {
    patchPost(id, (post) => withLike(post, on));
    markStale(keys.users);
  },
});

/** Reposts on their way to the server. */
export const reposts = new ToggleQueue({
  send: sendRepost,
  confirm(id, on) {
    patchPost(id, (post) => withRepost(post, on));
    markStale(keys.feeds);
    markStale(keys.users);
  },
});

/** Lets the next visit fetch anew, without moving anything under the reader's eyes now. */
function markStale(queryKey: readonly string[]): void {
  void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
}

/** The post as the member wants it to be, ahead of the server where a toggle is under way. */
export function useWished(post: Post): Post {
  const like = useSyncExternalStore(likes.subscribe, () => likes.wish(post.id));
  const repost = useSyncExternalStore(reposts.subscribe, () => reposts.wish(post.id));
  let wished = post;
  if (like !== undefined) wished = withLike(wished, like);
  if (repost !== undefined) wished = withRepost(wished, repost);
  return wished;
}
