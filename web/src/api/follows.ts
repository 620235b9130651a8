import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";

/** Whether I follow a member. */
export function followStatus(userId: string) {
  return queryOptions({
    queryKey: keys.follow(userId),
    queryFn: async () =>
      bodyOf(await api.GET("/api/follows/{userId}/status", { params: { path: { userId } } })),
  });
}

/** Follows a member or stops following. */
export async function sendFollow(userId: string, on: boolean): Promise<void> {
  if (on) await api.POST("/api/follows", { body: { followingId: userId } });
  else await api.DELETE("/api/follows/{userId}", { params: { path: { userId } } });
}
