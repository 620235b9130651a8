import { once } from "./once";
import { readStorage, writeStorage } from "./storage";

/** Where the storage names the member by id. */
export const MEMBER = "kith:member";
const LOGOUT = "kith:logout";

const channel = once(() => new BroadcastChannel(MEMBER));

/** The member who was logged in here when that was last known; undefined where no storage can tell. */
export function hintedMember(): string | null | undefined {
  return readStorage("localStorage", MEMBER);
}

/** Notes the logged-in member for the next visit, and notifies other tabs; null for a visitor. */
export function rememberMember(id: string | null): void {
  writeStorage("localStorage", MEMBER, id);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel().postMessage(id);
}

/** Calls `listener` with the member whenever another tab notes who is logged in. */
export function onMember(listener: (id: string | null) => void): void {
  channel().addEventListener("message", ({ data }) => listener(data as string | null));
}

/** Whether a member logged out here while the server could not be told. */
export function isLogoutOwed(): boolean {
  return typeof readStorage("localStorage", LOGOUT) === "string";
}

/** Remembers that the server is still to be told, or that it was. */
export function oweLogout(isOwed: boolean): void {
  writeStorage("localStorage", LOGOUT, isOwed ? "1" : null);
}
