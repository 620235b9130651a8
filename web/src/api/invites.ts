import { api, bodyOf, bodyQuery } from "./client";
import { keys } from "./keys";
import { paged } from "./lists";
import { refresh } from "./query-client";
import type { Vouch } from "./types";

export const invitesQuery = bodyQuery(keys.invites, () => api.GET("/api/invites"));

export async function createInvite(): Promise<void> {
  await api.POST("/api/invites");
}

/** Revokes a code that nobody has used. Idempotent. */
export async function revokeInvite(id: string): Promise<void> {
  await api.DELETE("/api/invites/{id}", { params: { path: { id } } });
}

/** Fetches again which codes there are and how many more can be made. */
export const refreshInvites = () => refresh(keys.invites, keys.me);

export const vouchesQuery = paged(keys.vouches, 50, (query) =>
  api.GET("/api/waitlist/vouches", { params: { query } }),
);

export const refreshVouches = () => refresh(keys.vouches);

export async function vouchFor(email: string): Promise<Vouch> {
  const vouch = bodyOf(await api.POST("/api/waitlist/vouches", { body: { email } }));
  await refreshVouches();
  return vouch;
}

export async function withdrawVouch(id: string): Promise<void> {
  await api.DELETE("/api/waitlist/vouches/{id}", { params: { path: { id } } });
  await refreshVouches();
}
