import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { FollowStatus, User } from "./types";

/** Whether I follow a member. */
export function followStatus(userId: string) {
  return queryOptions({
    queryKey: keys.follow(userId),
    queryFn: async () =>
      bodyOf(await api.GET("/api/follows/{userId}/status", { params: { path: { userId } } })),
  });
}

/**
 * Notes whom I follow as a list of members tells, so that no row has to ask. What became known after the list was asked for (at `askedAt`, in milliseconds) is newer, and stays.
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
