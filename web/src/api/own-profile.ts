import { queryOptions } from "@tanstack/react-query";
import type { Crop } from "@/lib/crop";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { patchAuthor } from "./post-cache";
import { queryClient } from "./query-client";
import type { Me, ProfileUpdate, User } from "./types";

const HALF_A_MINUTE = 30_000;

/** Changes my display name, bio or website; what is left out stays as it is. */
export async function updateProfile(change: ProfileUpdate): Promise<void> {
  await showMe(bodyOf(await api.PUT("/api/users/profile", { body: change })));
}

/** Chooses my username, which can be done once. */
export async function chooseUsername(username: string): Promise<void> {
  await showMe(bodyOf(await api.PUT("/api/users/username", { body: { username } })));
}

/** Which of my two images. */
export type OwnImage = "profile" | "header";

/** Shows a file that I uploaded, or a part of it, as my picture or header. */
export async function setOwnImage(which: OwnImage, address: string, crop?: Crop): Promise<void> {
  const body = { imageURL: address, ...(crop && { crop }) };
  const answer =
    which === "profile"
      ? await api.PUT("/api/profile-images", { body })
      : await api.PUT("/api/header-images", { body });
  await showMe(bodyOf(answer));
}

/** Goes without a picture or header. */
export async function removeOwnImage(which: OwnImage): Promise<void> {
  const answer =
    which === "profile"
      ? await api.DELETE("/api/profile-images")
      : await api.DELETE("/api/header-images");
  await showMe(bodyOf(answer));
}

/** Whether I could choose a username now. */
export function usernameAvailability(username: string) {
  return queryOptions({
    queryKey: keys.availability(username),
    queryFn: async () => {
      const params = { query: { u: username } };
      return bodyOf(await api.GET("/api/users/username-available", { params }));
    },
    // Somebody else may take the name meanwhile.
    staleTime: HALF_A_MINUTE,
  });
}

/** Shows what I have become everywhere: as the logged-in member, on my profile, on my posts. */
async function showMe(me: Me): Promise<void> {
  // An answer still under way would bring back what I was.
  await queryClient.cancelQueries({ queryKey: keys.me });
  const before = queryClient.getQueryData<Me>(keys.me);
  queryClient.setQueryData<Me>(keys.me, me);
  queryClient.setQueryData<User>(keys.user(me.username), (user) => user && { ...user, ...me });
  const { id, username, displayName, profileImageUrl } = me;
  patchAuthor({ id, username, displayName, profileImageUrl });
  if (before && before.username !== username) {
    void queryClient.invalidateQueries({ queryKey: keys.user(before.username) });
  }
}
