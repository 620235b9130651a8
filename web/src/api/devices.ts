import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { hasStatus } from "./error";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import { forgetMember } from "./session";

/** Where I am logged in. */
export const devicesQuery = queryOptions({
  queryKey: keys.devices,
  queryFn: async () => bodyOf(await api.GET("/api/auth/sessions")),
});

/** Ends another session of mine; one that has ended meanwhile is as good. */
export async function endDevice(id: string): Promise<void> {
  try {
    await api.DELETE("/api/auth/sessions/{id}", { params: { path: { id } } });
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
  }
  await queryClient.invalidateQueries({ queryKey: keys.devices });
}

/**
 * Ends all my sessions, and forgets everything of mine on this device. That goes, too, where this
 * session is over, as after a call whose answer was lost: whether the others are is not known then.
 */
export async function endAllDevices(): Promise<void> {
  try {
    await api.DELETE("/api/auth/sessions");
  } catch (error) {
    if (hasStatus(error, 401)) await forgetMember();
    throw error;
  }
  await forgetMember();
}
