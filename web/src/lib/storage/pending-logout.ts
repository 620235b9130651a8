import { readStorage, writeStorage } from "./web-storage";

const PENDING_LOGOUT_KEY = "kith:logout";

/** Whether a member logged out here while the server was not reachable. */
export function hasPendingLogout(): boolean {
  return typeof readStorage("localStorage", PENDING_LOGOUT_KEY) === "string";
}

/** Stores whether the session still has to be ended on the server. */
export function setPendingLogout(isPending: boolean): void {
  writeStorage("localStorage", PENDING_LOGOUT_KEY, isPending ? "1" : null);
}
