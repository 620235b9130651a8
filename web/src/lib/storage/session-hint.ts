import { lazy } from "@/lib/state/lazy";
import { readStorage, writeStorage } from "./web-storage";

/** The storage key of the member's id. */
export const SESSION_HINT_KEY = "kith:member";

const channel = lazy(() => new BroadcastChannel(SESSION_HINT_KEY));

/** Returns the member who was last known to be logged in here; undefined if the storage is not available. */
export function getHintedUserId(): string | null | undefined {
  return readStorage("localStorage", SESSION_HINT_KEY);
}

/** Notes the logged-in member for the next visit, and notifies other tabs; null for a visitor. */
export function setHintedUserId(id: string | null): void {
  writeStorage("localStorage", SESSION_HINT_KEY, id);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel().postMessage(id);
}

/** Calls `listener` with the member whenever another tab notes who is logged in. */
export function onHintedUserIdChange(listener: (id: string | null) => void): void {
  channel().addEventListener("message", ({ data }) => listener(data as string | null));
}
