import { api, apiQueryOptions } from "./client";
import { queryClient } from "./query-client";
import { queryKeys } from "./query-keys";
import type { components } from "./schema.gen";

export type Push = components["schemas"]["Push"];

export const pushQuery = apiQueryOptions(queryKeys.push, () => api.GET("/api/push"));

/** Whether this browser can be pushed to, here and now. */
export function isPushSupported(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** Subscribes this browser to pushes. Requests the permission first; false if the member denies it. */
export async function subscribeToPush(publicKey: string, showsText: boolean): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // The server had another key when this browser subscribed.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  await api.PUT("/api/push/subscription", { body: { endpoint, p256dh, auth, showsText } });
  await queryClient.invalidateQueries({ queryKey: queryKeys.push });
  return true;
}

/** Ends the pushes to this browser. */
export async function unsubscribeFromPush(): Promise<void> {
  await api.DELETE("/api/push/subscription");
  await queryClient.invalidateQueries({ queryKey: queryKeys.push });
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
