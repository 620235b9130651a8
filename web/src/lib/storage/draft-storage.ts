/** What the names of drafts in the storage begin with. */
export const DRAFT_KEY_PREFIX = "kith:draft:";

/** The posts to which a member has drafts of replies on this device, by id. */
export function listReplyDrafts(userId: string): string[] {
  try {
    const prefix = `${DRAFT_KEY_PREFIX}${userId}:`;
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
    return names.map((name) => name.slice(prefix.length)).filter((target) => /^\d+$/.test(target));
  } catch {
    return [];
  }
}

/** Deletes all drafts on this device. */
export function clearAllDrafts(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      // The tab's storage counts images of drafts under names that end with theirs.
      const names = Object.keys(storage).filter((name) => name.includes(DRAFT_KEY_PREFIX));
      names.forEach((name) => storage.removeItem(name));
    }
  } catch {
    // Without storage there is nothing to delete in it.
  }
}
