import { updatePostInCache } from "../post-cache";
import type { PostCounts } from "../types";

/** Pending requests that change the counts of a post, and the last counts that arrived during them, by post id. */
const deferred = new Map<string, { requests: number; latest?: PostCounts }>();

/**
 * Defers live counts of a post until the returned function is called. The app changes the count on screen itself, so
 * a count of the server that arrives during the request, and includes the change, would be counted twice.
 */
export function deferCounts(id: string): () => void {
  const entry = deferred.get(id) ?? { requests: 0 };
  entry.requests += 1;
  deferred.set(id, entry);
  return () => {
    entry.requests -= 1;
    if (entry.requests > 0) return;
    deferred.delete(id);
    if (entry.latest) applyCounts(entry.latest);
  };
}

/** Runs a request that changes the counts of a post. Live counts are deferred until it ends. */
export async function withDeferredCounts(id: string, request: () => Promise<void>): Promise<void> {
  const release = deferCounts(id);
  try {
    await request();
  } finally {
    release();
  }
}

/** Shows the server's counts of a post; after pending requests that change them, if any. */
export function applyCounts(counts: PostCounts): void {
  const entry = deferred.get(counts.id);
  if (entry) {
    entry.latest = counts;
    return;
  }
  const { replies: replyCount, reposts: repostCount, likes: likeCount } = counts;
  updatePostInCache(counts.id, (post) => {
    const isSame =
      post.replyCount === replyCount &&
      post.repostCount === repostCount &&
      post.likeCount === likeCount;
    return isSame || post.isDeleted ? post : { ...post, replyCount, repostCount, likeCount };
  });
}
