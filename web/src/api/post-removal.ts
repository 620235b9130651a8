import type { QueryKey } from "@tanstack/react-query";
import { keys } from "./keys";
import { patchRows } from "./lists";
import { patchPost, type PostRow, type ThreadIds } from "./post-cache";
import { markStale, queryClient } from "./query-client";
import type { Post } from "./types";

/** Takes a deleted post out of every list and thread, and out of the counts that are shown. */
export function removePost(post: Post): void {
  const { id, replyToId } = post;
  patchPost(id, (shown) => ({ ...shown, isDeleted: true, content: "" }));
  if (replyToId) {
    patchPost(replyToId, (parent) => ({
      ...parent,
      replyCount: Math.max(0, parent.replyCount - 1),
    }));
  }
  const isGone = (listed: string) => listed === id || known(listed)?.repostOfId === id;
  dropPosts([keys.feeds, keys.users, keys.tags], isGone);
  queryClient.setQueriesData<ThreadIds>(
    { queryKey: keys.threads },
    (thread) => thread && { ...thread, replyIds: withoutReply(thread.replyIds, post) },
  );
  // What only the server can know, such as the number of posts, waits for the next visit.
  markStale(keys.users, keys.threads);
}

/** A deleted reply keeps its place while it has replies; the last of them takes that place with it. */
function withoutReply(replyIds: string[], deleted: Post): string[] {
  if (deleted.replyCount > 0) return replyIds;
  const parent = deleted.replyToId ? known(deleted.replyToId) : undefined;
  const orphan = parent?.isDeleted && parent.replyCount === 0 ? parent.id : undefined;
  return replyIds.filter((id) => id !== deleted.id && id !== orphan);
}

function known(id: string): Post | undefined {
  return queryClient.getQueryData<Post>(keys.post(id));
}

export function dropPosts(queryKeys: readonly QueryKey[], isGone: (id: string) => boolean): void {
  for (const queryKey of queryKeys) {
    patchRows<PostRow>(queryKey, (rows) => rows.filter(({ id }) => !isGone(id)));
  }
}
