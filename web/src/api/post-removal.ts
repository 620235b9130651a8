import type { InfiniteData } from "@tanstack/react-query";
import { keys } from "./keys";
import { patchPost, type PostPage, type ThreadIds } from "./post-cache";
import { queryClient } from "./query-client";
import type { Post } from "./types";

/** Takes a deleted post out of every list and thread, and out of the counts that are shown. */
export function removePost(post: Post): void {
  const { id, replyToId } = post;
  patchPost(id, emptied);
  if (replyToId) {
    patchPost(replyToId, (parent) => ({
      ...parent,
      replyCount: Math.max(0, parent.replyCount - 1),
    }));
  }
  const isGone = (listed: string) => listed === id || known(listed)?.repostOfId === id;
  for (const queryKey of [keys.feeds, keys.users, keys.tags]) {
    queryClient.setQueriesData<unknown>({ queryKey }, (data: unknown) =>
      isList(data) ? withoutIds(data, isGone) : data,
    );
  }
  queryClient.setQueriesData<ThreadIds>(
    { queryKey: keys.threads },
    (thread) => thread && { ...thread, replyIds: withoutReply(thread.replyIds, post, known) },
  );
  // What only the server can know, such as the number of posts, waits for the next visit.
  for (const queryKey of [keys.users, keys.threads]) {
    void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  }
}

/**
 * The replies of a thread without a deleted one. Its place stays while somebody's answer hangs on
 * it; the last answer to a deleted post takes that post's place with it.
 */
function withoutReply(
  replyIds: readonly string[],
  deleted: Post,
  find: (id: string) => Post | undefined,
): string[] {
  if (deleted.replyCount > 0) return [...replyIds];
  const parent = deleted.replyToId ? find(deleted.replyToId) : undefined;
  const orphan = parent?.isDeleted && parent.replyCount === 0 ? parent.id : undefined;
  return replyIds.filter((id) => id !== deleted.id && id !== orphan);
}

function known(id: string): Post | undefined {
  return queryClient.getQueryData<Post>(keys.post(id));
}

function emptied(post: Post): Post {
  return { ...post, isDeleted: true, content: "", images: [], imageUrls: [], pollOptions: [] };
}

type List = InfiniteData<PostPage<unknown>>;

function isList(data: unknown): data is List {
  return typeof data === "object" && data !== null && "pages" in data;
}

function withoutIds(list: List, isGone: (id: string) => boolean): List {
  const pages = list.pages.map((page) => ({
    ...page,
    ids: page.ids.filter((id) => !isGone(id)),
  }));
  return { ...list, pages };
}
