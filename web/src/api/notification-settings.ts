import { api, apiQueryOptions, unwrap } from "./client";
import { queryClient } from "./query-client";
import { queryKeys } from "./query-keys";
import type { components } from "./schema.gen";

export type NotificationSettings = components["schemas"]["NotificationSettings"];
export type QuietHours = components["schemas"]["QuietHours"];
export type NotifyFrom = components["schemas"]["NotifyFrom"];
type Update = components["schemas"]["NotificationSettingsUpdate"];

export const notificationSettingsQuery = apiQueryOptions(queryKeys.notificationSettings, () =>
  api.GET("/api/notifications/settings"),
);

/** Shows changed settings immediately; returns a function that reverts them. */
export function setOptimisticSettings(changes: Partial<NotificationSettings>): () => void {
  const { queryKey } = notificationSettingsQuery;
  const before = queryClient.getQueryData(queryKey);
  if (before) queryClient.setQueryData(queryKey, { ...before, ...changes });
  return () => queryClient.setQueryData(queryKey, before);
}

/** Changes settings; those that are not given remain. */
export async function updateNotificationSettings(body: Update): Promise<NotificationSettings> {
  return unwrap(await api.PUT("/api/notifications/settings", { body }));
}

/** Sets the times in which nothing is pushed; null ends them. */
export async function setQuietHours(hours: QuietHours | null): Promise<void> {
  if (hours) await api.PUT("/api/notifications/quiet-hours", { body: hours });
  else await api.DELETE("/api/notifications/quiet-hours");
}

export const conversationMuteQuery = (id: string) =>
  apiQueryOptions(queryKeys.conversationMute(id), () =>
    api.GET("/api/posts/{id}/mute", { params: { path: { id } } }),
  );

/** Mutes or unmutes the conversation of a post. */
export async function setConversationMuted(id: string, isMuted: boolean): Promise<void> {
  const params = { path: { id } };
  if (isMuted) await api.POST("/api/posts/{id}/mute", { params });
  else await api.DELETE("/api/posts/{id}/mute", { params });
  // Other posts of the conversation are muted with it.
  queryClient.removeQueries({ queryKey: queryKeys.conversationMutes });
}
