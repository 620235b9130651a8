import type { QueryKey } from "@tanstack/react-query";
import { type Answer, api, bodyOf, bodyQuery } from "./client";
import { type FollowSide, keys } from "./keys";
import { firstPageAgain, paged, type RequestPage } from "./lists";
import { queryClient } from "./query-client";
import type { FollowStatus, User } from "./types";

const PAGE_SIZE = 20;

export const followStatus = (userId: string) =>
  bodyQuery(keys.follow(userId), () =>
    api.GET("/api/follows/{userId}/status", { params: { path: { userId } } }),
  );

/** Notes whom I follow, so that no row has to ask; what is known since `askedAt` (milliseconds) is newer. */
export function noteFollows(members: readonly User[], askedAt: number): void {
  for (const { id, isFollowing } of members) {
    const known = queryClient.getQueryState(keys.follow(id));
    if (known && known.dataUpdatedAt >= askedAt) continue;
    queryClient.setQueryData<FollowStatus>(keys.follow(id), { isFollowing });
  }
}

export async function sendFollow(userId: string, on: boolean): Promise<void> {
  if (on) await api.POST("/api/follows", { body: { followingId: userId } });
  else await api.DELETE("/api/follows/{userId}", { params: { path: { userId } } });
}

/** Requests members and notes what the response says of follows. */
export async function notingFollows<Row extends User>(request: Promise<Answer<Row[]>>) {
  const askedAt = Date.now();
  const answer = await request;
  noteFollows(bodyOf(answer), askedAt);
  return answer;
}

/** A list of members, page by page. */
export function memberList(queryKey: QueryKey, request: RequestPage<User>) {
  return paged<User>(queryKey, PAGE_SIZE, (query, start) => notingFollows(request(query, start)));
}

/** The followers of a member, or the members they follow, newest first. */
export function followList(username: string, side: FollowSide) {
  const list = memberList(keys.followList(username, side), (query) =>
    api.GET(`/api/users/{username}/${side}`, { params: { path: { username }, query } }),
  );
  return { ...firstPageAgain, ...list };
}
