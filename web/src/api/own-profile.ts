import { api, bodyOf, bodyQuery } from "./client";
import { keys } from "./keys";
import { patchAuthor } from "./post-cache";
import { queryClient, refresh } from "./query-client";
import type { Crop, Me, ProfileUpdate, User } from "./types";

const HALF_A_MINUTE = 30_000;

/** Changes my display name, bio or website; what is left out stays as it is. */
export async function updateProfile(change: ProfileUpdate): Promise<void> {
  await showMe(bodyOf(await api.PUT("/api/users/profile", { body: change })));
}

/** Chooses my username, which can be done once. */
export async function chooseUsername(username: string): Promise<void> {
  await showMe(bodyOf(await api.PUT("/api/users/username", { body: { username } })));
}

export type OwnImage = "profile" | "header";

export async function setOwnImage(which: OwnImage, imageURL: string, crop?: Crop): Promise<void> {
  const body = { imageURL, ...(crop && { crop }) };
  await showMe(bodyOf(await api.PUT(`/api/${which}-images`, { body })));
}

export async function removeOwnImage(which: OwnImage): Promise<void> {
  await showMe(bodyOf(await api.DELETE(`/api/${which}-images`)));
}

/** Whether I could choose a username now; another member may take it meanwhile. */
export const usernameAvailability = (username: string) => ({
  ...bodyQuery(keys.availability(username), () =>
    api.GET("/api/users/username-available", { params: { query: { u: username } } }),
  ),
  staleTime: HALF_A_MINUTE,
});

/** Shows my changed record everywhere: as the logged-in member, on my profile, on my posts. */
async function showMe(me: Me): Promise<void> {
  // A response under way would bring back the former record.
  await queryClient.cancelQueries({ queryKey: keys.me });
  const before = queryClient.getQueryData<Me>(keys.me);
  queryClient.setQueryData<Me>(keys.me, me);
  queryClient.setQueryData<User>(keys.user(me.username), (user) => user && { ...user, ...me });
  const { id, username, displayName, profileImageUrl } = me;
  patchAuthor({ id, username, displayName, profileImageUrl });
  if (before && before.username !== username) void refresh(keys.user(before.username));
}
