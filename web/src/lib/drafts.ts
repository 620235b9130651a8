import { createStore } from "./store";

/** What the names of drafts in the storage begin with. */
export const DRAFT = "kith:draft:";

/** Counts how often all drafts were forgotten; whoever holds one drops it then. */
export const draftsForgotten = createStore(0);

/** Forgets all drafts on this device. */
export function forgetDrafts(): void {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(DRAFT)) localStorage.removeItem(name);
    }
  } catch {
    // Without storage there is nothing to forget in it.
  }
  dropDrafts();
}

/** Drops the drafts that this tab holds, and leaves those on the device alone. */
export function dropDrafts(): void {
  draftsForgotten.set(draftsForgotten.get() + 1);
}
