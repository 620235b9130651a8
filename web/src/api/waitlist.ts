import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { Vouch } from "./types";

/** Puts an address on the waitlist. */
export async function joinWaitlist(email: string): Promise<void> {
  await api.POST("/api/waitlist", { body: { email } });
}

/** Whom I vouch for, the newest first. */
export const vouchesQuery = queryOptions({
  queryKey: keys.vouches,
  queryFn: async () =>
    bodyOf(await api.GET("/api/waitlist/vouches", { params: { query: { limit: 50 } } })),
});

/** Gives my word for somebody; twice is as good as once. */
export async function vouchFor(email: string): Promise<Vouch> {
  const vouch = bodyOf(await api.POST("/api/waitlist/vouches", { body: { email } }));
  await refreshVouches();
  return vouch;
}

/** Takes my word back. */
export async function takeVouchBack(id: string): Promise<void> {
  await api.DELETE("/api/waitlist/vouches/{id}", { params: { path: { id } } });
  await refreshVouches();
}

/** Fetches anew whom I vouch for. */
export async function refreshVouches(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.vouches });
}
