import type { QueryKey } from "@tanstack/react-query";
import { queryKeys } from "./query-keys";
import { updateRowsInCache } from "./paginated-query";
import { updatePostInCache, type PostRow, type ThreadEntry } from "./post-cache";
import { markStale, queryClient } from "./query-client";
import type { Post } from "./types";

/** Removes a deleted post from all cached lists and threads, and from reply counts. */
export function removePostFromCache(post: Post): void {
  const { id, replyToId } = post;
  updatePostInCache(id, (cached) => ({ ...cached, isDeleted: true, content: "" }));
  if (replyToId) {
    updatePostInCache(replyToId, (parent) => ({
      ...parent,
      replyCount: Math.max(0, parent.replyCount - 1),
    }));
  }
  const isRemoved = (listedId: string) =>
    listedId === id || getCachedPost(listedId)?.repostOfId === id;
  removePostsFromLists([queryKeys.postLists, queryKeys.users], isRemoved);
  queryClient.setQueriesData<ThreadEntry>(
    { queryKey: queryKeys.threads },
    (thread) => thread && { ...thread, replyIds: removeReply(thread.replyIds, post) },
  );
  // The number of posts is known to the server only, so the next visit refetches it.
  markStale(queryKeys.users, queryKeys.threads);
}

/** Marks the lists and threads as stale that may contain a restored post. */
export function markPostRestored(): void {
  markStale(queryKeys.postLists, queryKeys.users, queryKeys.threads);
}

/** A deleted reply leaves a placeholder while it has replies; the last of them removes the placeholder. */
function removeReply(replyIds: string[], deleted: Post): string[] {
  if (deleted.replyCount > 0) return replyIds;
  const parent = deleted.replyToId ? getCachedPost(deleted.replyToId) : undefined;
  const orphan = parent?.isDeleted && parent.replyCount === 0 ? parent.id : undefined;
  return replyIds.filter((id) => id !== deleted.id && id !== orphan);
}

function getCachedPost(id: string): Post | undefined {
  return queryClient.getQueryData<Post>(queryKeys.post(id));
}

export function removePostsFromLists(
  keys: readonly QueryKey[],
  isRemoved: (id: string) => boolean,
): void {
  for (const queryKey of keys) {
    updateRowsInCache<PostRow>(queryKey, (rows) => rows.filter(({ id }) => !isRemoved(id)));
  }
}
