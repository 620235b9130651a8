/** What the names of drafts in the storage begin with. */
export const DRAFT_KEY_PREFIX = "kith:draft:";

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
