import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { paged } from "./paged";
import { queryClient } from "./query-client";
import type { Vouch } from "./types";

/** Whom I vouch for, the newest first. */
export const vouchesQuery = paged(keys.vouches, 50, (query) =>
  api.GET("/api/waitlist/vouches", { params: { query } }),
);

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
