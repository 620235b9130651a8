import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { queryClient } from "./query-client";
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

/** Takes back a code that nobody has used; twice is as good as once. */
export async function revokeInvite(id: string): Promise<void> {
  await api.DELETE("/api/invites/{id}", { params: { path: { id } } });
}

/** Fetches anew which codes there are and how many more can be made. */
export async function refreshInvites(): Promise<void> {
  await Promise.all(
    [keys.invites, keys.me].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}
