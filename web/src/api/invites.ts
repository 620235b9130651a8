import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import type { Invite } from "./types";

/** The codes I have made. */
export const invitesQuery = queryOptions({
  queryKey: keys.invites,
  queryFn: async () => bodyOf(await api.GET("/api/invites")),
});

/** Makes a code. */
export async function createInvite(): Promise<Invite> {
  return bodyOf(await api.POST("/api/invites"));
}
