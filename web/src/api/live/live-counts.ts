import { updatePostInCache } from "../post-cache";
import type { PostCounts } from "../types";

/** By post: requests under way that change its counts, and the counts that arrived meanwhile. */
const held = new Map<string, { requests: number; latest?: PostCounts }>();

/**
 * Keeps the counts of a post on screen until the returned function is called. The app counts a like before the
 * response, and a reply or its deletion after it: a number of the server that arrives meanwhile has it already, and
 * would be shown off by one.
 */
export function holdCounts(id: string): () => void {
  const hold = held.get(id) ?? { requests: 0 };
  hold.requests += 1;
  held.set(id, hold);
  return () => {
    hold.requests -= 1;
    if (hold.requests > 0) return;
    held.delete(id);
    if (hold.latest) applyCounts(hold.latest);
  };
}

/** Runs a request that changes the counts of a post, which stay as they are meanwhile. */
export async function withHeldCounts(id: string, request: () => Promise<void>): Promise<void> {
  const release = holdCounts(id);
  try {
    await request();
  } finally {
    release();
  }
}

/** Shows the server's counts of a post, now or once nothing that changes them is under way. */
export function applyCounts(counts: PostCounts): void {
  const hold = held.get(counts.id);
  if (hold) {
    hold.latest = counts;
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
