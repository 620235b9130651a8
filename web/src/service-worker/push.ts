/** The content of a push message of the server. */
export interface PushMessage {
  title: string;
  body: string;
  /** The page that the notification leads to. */
  path: string;
}

/** Later notifications replace earlier ones: each is about everything that is unread. */
const TAG = "kith";

/** The title of a push that has none: the worker does not know what the network is called. */
const fallbackTitle = () => globalThis.location?.hostname ?? "";

/** Reads a push. Its browser must show a notification also for one that cannot be read. */
export function readMessage(text: string): PushMessage {
  try {
    const message = JSON.parse(text) as Partial<PushMessage>;
    const { title = fallbackTitle(), body = "", path = "" } = message;
    // Only pages of the app: a URL may not lead elsewhere.
    return { title, body, path: /^\/(?!\/)/.test(path) ? path : "/notifications" };
  } catch {
    return { title: fallbackTitle(), body: "", path: "/notifications" };
  }
}

/** Shows what a push contains. */
export function showPush(registration: ServiceWorkerRegistration, text: string): Promise<void> {
  const { title, body, path } = readMessage(text);
  const options = { body, tag: TAG, renotify: true, icon: "/icon-192.png", data: { path } };
  return registration.showNotification(title, options);
}

/** Opens the page of a notification, in a window of the app if one is open. */
export async function openNotification(
  clients: Clients,
  notification: Notification,
): Promise<void> {
  notification.close();
  const { path = "/notifications" } = (notification.data ?? {}) as { path?: string };
  const [open] = await clients.matchAll({ type: "window" });
  if (!open) {
    await clients.openWindow(path);
    return;
  }
  const focused = await open.focus();
  await focused.navigate(path);
}
