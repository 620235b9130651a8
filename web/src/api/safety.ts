import type { InfiniteData } from "@tanstack/react-query";
import { nextStart, type PageStart } from "@/lib/link-header";
import { api, bodyOf } from "./client";
import { type MemberPage, noteFollows } from "./follows";
import { type KeptAway, keys } from "./keys";
import type { PostPage } from "./post-cache";
import { queryClient } from "./query-client";
import type { FollowStatus, MemberRef, Post, User } from "./types";

const PAGE_SIZE = 20;

const firstPage: PageStart = { offset: 0 };

/** Whom I muted or blocked, newest first, page by page. */
export function keptAwayList(list: KeptAway) {
  return {
    queryKey: keys.keptAway(list),
    initialPageParam: firstPage,
    queryFn: async ({ pageParam: start }: { pageParam: PageStart }): Promise<MemberPage> => {
      const askedAt = Date.now();
      const params = { query: { limit: PAGE_SIZE, ...start } };
      const answer = await api.GET(`/api/${list}`, { params });
      const members = bodyOf(answer);
      noteFollows(members, askedAt);
      return { members, next: nextStart(answer.response, members.length, PAGE_SIZE, start) };
    },
    getNextPageParam: (page: MemberPage) => page.next,
  };
}

/** Mutes or blocks a member, or takes that back; what is on screen follows. */
export async function setKeptAway(list: KeptAway, member: MemberRef, on: boolean): Promise<void> {
  const params = { path: { userId: member.id } };
  if (on) await api.POST(`/api/${list}/{userId}`, { params });
  else await api.DELETE(`/api/${list}/{userId}`, { params });
  noteKeptAway(list, member, on);
}

function noteKeptAway(list: KeptAway, member: MemberRef, on: boolean): void {
  const isBlock = list === "blocks";
  queryClient.setQueryData<User>(
    keys.user(member.username),
    (user) =>
      user && {
        ...user,
        ...(isBlock ? { isBlocked: on } : { isMuted: on }),
        ...(isBlock && on && { isFollowing: false, followsYou: false }),
      },
  );
  if (isBlock && on) {
    queryClient.setQueryData<FollowStatus>(keys.follow(member.id), { isFollowing: false });
  }
  if (!isBlock) {
    queryClient.setQueriesData<Post>({ queryKey: keys.posts }, (post) =>
      post?.author.id === member.id ? { ...post, isMuted: on } : post,
    );
  }
  if (on) hidePosts(member.id, isBlock);
  // Neither the full lists nor emptied ones are right on the member's own profile.
  if (isBlock) queryClient.removeQueries({ queryKey: [...keys.user(member.username), "posts"] });
  // Where posts were taken out the rest stands; everything else is asked for anew.
  for (const queryKey of [keys.feeds, keys.tags]) {
    void queryClient.invalidateQueries({ queryKey, refetchType: on ? "none" : "active" });
  }
  const changed = [keys.users, keys.threads, keys.notifications, keys.me, keys.suggestions];
  for (const queryKey of [...changed, keys.searches, keys.followLists, keys.keptAway(list)]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}

/** Takes a member's posts and reposts of them out of lists; a mute leaves profiles as they are. */
function hidePosts(memberId: string, alsoOnProfiles: boolean): void {
  const isTheirs = (id: string) => {
    const post = queryClient.getQueryData<Post>(keys.post(id));
    return post?.author.id === memberId || post?.repostOf?.author.id === memberId;
  };
  const lists = [keys.feeds, keys.tags, ...(alsoOnProfiles ? [keys.users] : [])];
  for (const queryKey of lists) {
    queryClient.setQueriesData<unknown>({ queryKey }, (data: unknown) => {
      if (!isList(data)) return data;
      const pages = data.pages.map((page) => ({
        ...page,
        ids: page.ids.filter((id) => !isTheirs(id)),
      }));
      return { ...data, pages };
    });
  }
}

function isList(data: unknown): data is InfiniteData<PostPage<unknown>> {
  return typeof data === "object" && data !== null && "pages" in data;
}
