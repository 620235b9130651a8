import { useMutation } from "@tanstack/react-query";
import { api } from "./client";
import { type KeptAway, keys } from "./keys";
import { refreshLists } from "./lists";
import { dropPosts } from "./post-removal";
import { markStale, queryClient } from "./query-client";
import type { FollowStatus, MemberRef, Post, User } from "./types";
import { memberList } from "./users";

export const keptAwayList = (list: KeptAway) =>
  memberList(keys.keptAway(list), (query) => api.GET(`/api/${list}`, { params: { query } }));

/** Mutes or blocks a member, or takes that back, and says so. */
export function useKeepAway(list: KeptAway, member: MemberRef) {
  const [verb, done] = list === "mutes" ? ["mute", "muted"] : ["block", "blocked"];
  const name = `@${member.username}`;
  return useMutation({
    mutationFn: (on: boolean) => setKeptAway(list, member, on),
    meta: {
      success: (_: void, on: boolean) => ({ title: `${name} is ${on ? "" : "no longer "}${done}` }),
      failure: (_: Error, on: boolean) =>
        `Failed to ${on ? "" : "un"}${verb} ${name}. Please try again.`,
    },
  });
}

/** Sends it, and brings the lists on screen up to date. */
async function setKeptAway(list: KeptAway, member: MemberRef, on: boolean): Promise<void> {
  const { id, username } = member;
  const params = { path: { userId: id } };
  if (on) await api.POST(`/api/${list}/{userId}`, { params });
  else await api.DELETE(`/api/${list}/{userId}`, { params });
  const isBlock = list === "blocks";
  const follows = isBlock && on && { isFollowing: false, followsYou: false };
  queryClient.setQueryData<User>(
    keys.user(username),
    (user) => user && { ...user, [isBlock ? "isBlocked" : "isMuted"]: on, ...follows },
  );
  if (on) dropPosts([keys.feeds, keys.tags, ...(isBlock ? [keys.users] : [])], isBy(id));
  if (isBlock) {
    if (on) queryClient.setQueryData<FollowStatus>(keys.follow(id), { isFollowing: false });
    // Neither the full lists nor emptied ones are right on the member's own profile.
    queryClient.removeQueries({ queryKey: [...keys.user(username), "posts"] });
  } else {
    queryClient.setQueriesData<Post>({ queryKey: keys.posts }, (post) =>
      post?.author.id === id ? { ...post, isMuted: on } : post,
    );
  }
  if (on) markStale(keys.feeds, keys.tags);
  // Where posts were taken out the rest stays; otherwise they come back.
  else refreshLists(keys.feeds, keys.tags);
  refreshLists(keys.users, keys.threads, keys.notifications, keys.me, keys.suggestions);
  refreshLists(keys.searches, keys.followLists, keys.keptAway(list));
}

function isBy(memberId: string): (id: string) => boolean {
  return (id) => {
    const post = queryClient.getQueryData<Post>(keys.post(id));
    return post?.author.id === memberId || post?.repostOf?.author.id === memberId;
  };
}
