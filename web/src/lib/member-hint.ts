/** Where the storage names the member by id. */
export const MEMBER = "kith:member";
/** What earlier versions wrote there, whoever the member was. */
const SOMEBODY = "1";

/** The member that this tab wrote down; null while none is, or the storage did not take it. */
let noted: string | null = null;

/** Who was logged in here when that was last asked; undefined where no storage can tell. */
export function hintedMember(): string | null | undefined {
  try {
    return localStorage.getItem(MEMBER);
  } catch {
    return undefined;
  }
}

/** Whether somebody was logged in here when that was last asked; a guess, to begin early with. */
export function wasMember(): boolean {
  return typeof hintedMember() === "string";
}

/** Remembers for the next visit, and for other tabs, who is logged in; null for nobody. */
export function rememberMember(id: string | null): void {
  try {
    if (id !== null) localStorage.setItem(MEMBER, id);
    else localStorage.removeItem(MEMBER);
  } catch {
    // Without storage the next visit begins a little later, and nothing else.
  }
  noted = hintedMember() === id ? id : null;
}

/** Whether the member of this tab has logged out in another one, or somebody else has logged in there. */
export function isMemberGone(): boolean {
  return noted !== null && isReplaced(noted, hintedMember());
}

/** Whether the hint says that a member is no longer the one who is logged in. */
export function isReplaced(member: string, hint: string | null | undefined): boolean {
  return hint !== undefined && hint !== SOMEBODY && hint !== member;
}
