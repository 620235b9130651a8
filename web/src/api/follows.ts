import { queryOptions } from "@tanstack/react-query";
import { nextStart, type PageStart } from "@/lib/link-header";
import { api, bodyOf } from "./client";
import { type FollowSide, keys } from "./keys";
import { queryClient } from "./query-client";
import type { FollowStatus, User } from "./types";

const PAGE_SIZE = 20;

/** Whether I follow a member. */
export function followStatus(userId: string) {
  return queryOptions({
    queryKey: keys.follow(userId),
    queryFn: async () =>
      bodyOf(await api.GET("/api/follows/{userId}/status", { params: { path: { userId } } })),
  });
}

/**
 * Notes whom I follow as a list of members tells, so that no row has to ask. What became known
 * after the list was asked for (at `askedAt`, in milliseconds) is newer, and stays.
 */
export function noteFollows(members: readonly User[], askedAt: number): void {
  for (const { id, isFollowing } of members) {
    const known = queryClient.getQueryState(keys.follow(id));
    if (known && known.dataUpdatedAt >= askedAt) continue;
    queryClient.setQueryData<FollowStatus>(keys.follow(id), { isFollowing });
  }
}

/** Follows a member or stops following. */
export async function sendFollow(userId: string, on: boolean): Promise<void> {
  if (on) await api.POST("/api/follows", { body: { followingId: userId } });
  else await api.DELETE("/api/follows/{userId}", { params: { path: { userId } } });
}

/** A page of members. */
export interface MemberPage {
  members: User[];
  next: PageStart | null;
}

const firstPage: PageStart = { offset: 0 };

/** Who follows a member or whom a member follows, newest first, page by page. */
export function followList(username: string, side: FollowSide) {
  return {
    queryKey: keys.followList(username, side),
    initialPageParam: firstPage,
    queryFn: async ({ pageParam: start }: { pageParam: PageStart }): Promise<MemberPage> => {
      const askedAt = Date.now();
      const params = { path: { username }, query: { limit: PAGE_SIZE, ...start } };
      const answer = await api.GET(`/api/users/{username}/${side}`, { params });
      const members = bodyOf(answer);
      noteFollows(members, askedAt);
      return { members, next: nextStart(answer.response, members.length, PAGE_SIZE, start) };
    },
    getNextPageParam: (page: MemberPage) => page.next,
  };
}
