/** What the names of drafts in the storage begin with. */
export const DRAFT = "kith:draft:";

/** Deletes all drafts on this device. */
export function deleteDrafts(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      // The tab's storage counts images of drafts under names that end with theirs.
      const names = Object.keys(storage).filter((name) => name.includes(DRAFT));
      names.forEach((name) => storage.removeItem(name));
    }
  } catch {
    // Without storage there is nothing to delete in it.
  }
}
