import { api, unwrap, apiQueryOptions } from "./client";
import { queryKeys } from "./query-keys";
import { updateAuthorInCache } from "./post-cache";
import { queryClient, invalidate } from "./query-client";
import type { Crop, Me, ProfileUpdate, User } from "./types";

const AVAILABILITY_STALE_MS = 30_000;

/** Changes my display name, bio or website; what is left out stays as it is. */
export async function updateProfile(change: ProfileUpdate): Promise<void> {
  await updateCurrentUserInCache(unwrap(await api.PUT("/api/users/profile", { body: change })));
}

/** Chooses my username, which can be done once. */
export async function setUsername(username: string): Promise<void> {
  await updateCurrentUserInCache(
    unwrap(await api.PUT("/api/users/username", { body: { username } })),
  );
}

export type ProfileImageKind = "profile" | "header";

export async function setProfileImage(
  kind: ProfileImageKind,
  imageURL: string,
  crop?: Crop,
): Promise<void> {
  const body = { imageURL, ...(crop && { crop }) };
  await updateCurrentUserInCache(unwrap(await api.PUT(`/api/${kind}-images`, { body })));
}

export async function deleteProfileImage(kind: ProfileImageKind): Promise<void> {
  await updateCurrentUserInCache(unwrap(await api.DELETE(`/api/${kind}-images`)));
}

/** Whether I could choose a username now; another member may take it meanwhile. */
export const usernameAvailabilityQuery = (username: string) => ({
  ...apiQueryOptions(queryKeys.usernameAvailability(username), () =>
    api.GET("/api/users/username-available", { params: { query: { u: username } } }),
  ),
  staleTime: AVAILABILITY_STALE_MS,
});

/** Shows my changed record everywhere: as the logged-in member, on my profile, on my posts. */
async function updateCurrentUserInCache(currentUser: Me): Promise<void> {
  // A response under way would bring back the former record.
  await queryClient.cancelQueries({ queryKey: queryKeys.currentUser });
  const previous = queryClient.getQueryData<Me>(queryKeys.currentUser);
  queryClient.setQueryData<Me>(queryKeys.currentUser, currentUser);
  queryClient.setQueryData<User>(
    queryKeys.user(currentUser.username),
    (user) => user && { ...user, ...currentUser },
  );
  const { id, username, displayName, profileImageUrl } = currentUser;
  updateAuthorInCache({ id, username, displayName, profileImageUrl });
  if (previous && previous.username !== username)
    void invalidate(queryKeys.user(previous.username));
}
