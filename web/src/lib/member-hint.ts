const KEY = "kith:member";

/** Whether somebody was logged in here when that was last asked; a guess, to begin early with. */
export function wasMember(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Remembers for the next visit whether somebody is logged in. */
export function rememberMember(isMember: boolean): void {
  try {
    if (isMember) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the next visit begins a little later, and nothing else.
  }
}
