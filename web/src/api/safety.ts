import { api } from "./client";
import { memberList } from "./follows";
import { type KeptAway, keys } from "./keys";
import { refreshLists } from "./lists";
import { dropPosts } from "./post-removal";
import { markStale, queryClient } from "./query-client";
import type { FollowStatus, MemberRef, Post, User } from "./types";

export const keptAwayList = (list: KeptAway) =>
  memberList(keys.keptAway(list), (query) => api.GET(`/api/${list}`, { params: { query } }));

/** Mutes or blocks a member, or takes that back; what is on screen follows. */
export async function setKeptAway(list: KeptAway, member: MemberRef, on: boolean): Promise<void> {
  const params = { path: { userId: member.id } };
  if (on) await api.POST(`/api/${list}/{userId}`, { params });
  else await api.DELETE(`/api/${list}/{userId}`, { params });
  if (list === "blocks") noteBlock(member, on);
  else noteMute(member, on);
  if (on) markStale(keys.feeds, keys.tags);
  // Where posts were taken out the rest stays; otherwise they come back.
  else refreshLists(keys.feeds, keys.tags);
  refreshLists(keys.users, keys.threads, keys.notifications, keys.me, keys.suggestions);
  refreshLists(keys.searches, keys.followLists, keys.keptAway(list));
}

function noteMute({ id, username }: MemberRef, on: boolean): void {
  patchUser(username, { isMuted: on });
  queryClient.setQueriesData<Post>({ queryKey: keys.posts }, (post) =>
    post?.author.id === id ? { ...post, isMuted: on } : post,
  );
  if (on) dropPosts([keys.feeds, keys.tags], isBy(id));
}

function noteBlock({ id, username }: MemberRef, on: boolean): void {
  patchUser(username, { isBlocked: on, ...(on && { isFollowing: false, followsYou: false }) });
  if (on) {
    queryClient.setQueryData<FollowStatus>(keys.follow(id), { isFollowing: false });
    dropPosts([keys.feeds, keys.tags, keys.users], isBy(id));
  }
  // Neither the full lists nor emptied ones are right on the member's own profile.
  queryClient.removeQueries({ queryKey: [...keys.user(username), "posts"] });
}

function patchUser(username: string, change: Partial<User>): void {
  queryClient.setQueryData<User>(keys.user(username), (user) => user && { ...user, ...change });
}

function isBy(memberId: string): (id: string) => boolean {
  return (id) => {
    const post = queryClient.getQueryData<Post>(keys.post(id));
    return post?.author.id === memberId || post?.repostOf?.author.id === memberId;
  };
}
