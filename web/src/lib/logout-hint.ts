const KEY = "kith:logout";

/** Whether somebody logged out here while the server could not be told. */
export function isLogoutOwed(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Remembers that the server is still to be told, or that it was. */
export function oweLogout(isOwed: boolean): void {
  try {
    if (isOwed) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the session goes on at the server until it ends by itself, as the toast says.
  }
}
