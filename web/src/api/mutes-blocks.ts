import { api } from "./client";
import { type MuteOrBlock, queryKeys } from "./query-keys";
import { invalidateLists } from "./paginated-query";
import { removePostsFromLists } from "./post-removal";
import { markStale, queryClient } from "./query-client";
import type { FollowStatus, UserSummary, Post, User } from "./types";
import { userListQuery } from "./users";

export const mutedOrBlockedQuery = (kind: MuteOrBlock) =>
  userListQuery(queryKeys.mutesOrBlocks(kind), `/api/${kind}`, {});

/** Mutes or blocks a member, or takes that back, and brings the lists on screen up to date. */
export async function setMutedOrBlocked(
  kind: MuteOrBlock,
  user: UserSummary,
  on: boolean,
): Promise<void> {
  const { id, username } = user;
  const params = { path: { userId: id } };
  if (on) await api.POST(`/api/${kind}/{userId}`, { params });
  else await api.DELETE(`/api/${kind}/{userId}`, { params });
  const isBlock = kind === "blocks";
  const followChange = isBlock && on && { isFollowing: false, followsYou: false };
  queryClient.setQueryData<User>(
    queryKeys.user(username),
    (cached) => cached && { ...cached, [isBlock ? "isBlocked" : "isMuted"]: on, ...followChange },
  );
  if (on)
    removePostsFromLists(
      [queryKeys.postLists, ...(isBlock ? [queryKeys.users] : [])],
      isPostInvolving(id),
    );
  if (isBlock) {
    if (on)
      queryClient.setQueryData<FollowStatus>(queryKeys.followStatus(id), { isFollowing: false });
    // Neither the full lists nor emptied ones are right on the member's own profile.
    queryClient.removeQueries({ queryKey: [...queryKeys.user(username), "posts"] });
  } else {
    queryClient.setQueriesData<Post>({ queryKey: queryKeys.posts }, (post) =>
      post?.author.id === id ? { ...post, isMuted: on } : post,
    );
  }
  if (on) markStale(queryKeys.postLists);
  // A mute or block has removed posts already; its end needs a refetch.
  else invalidateLists(queryKeys.postLists);
  invalidateLists(
    queryKeys.users,
    queryKeys.threads,
    queryKeys.notifications,
    queryKeys.currentUser,
    queryKeys.suggestions,
  );
  invalidateLists(queryKeys.searches, queryKeys.followLists, queryKeys.mutesOrBlocks(kind));
}

function isPostInvolving(userId: string): (id: string) => boolean {
  return (id) => {
    const post = queryClient.getQueryData<Post>(queryKeys.post(id));
    return post?.author.id === userId || post?.repostOf?.author.id === userId;
  };
}
