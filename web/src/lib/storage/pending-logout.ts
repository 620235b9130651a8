import { readStorage, writeStorage } from "./web-storage";

const PENDING_LOGOUT_KEY = "kith:logout";

/** Whether a member logged out here while the server could not be told. */
export function hasPendingLogout(): boolean {
  return typeof readStorage("localStorage", PENDING_LOGOUT_KEY) === "string";
}

/** Remembers that the server is still to be told, or that it was. */
export function setPendingLogout(isPending: boolean): void {
  writeStorage("localStorage", PENDING_LOGOUT_KEY, isPending ? "1" : null);
}
