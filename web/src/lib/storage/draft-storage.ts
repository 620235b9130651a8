/** Prefix of the keys of drafts. */
export const DRAFT_KEY_PREFIX = "kith:draft:";

/** The key of the draft of a reply, or of a new post. */
export function getDraftKey(userId: string, replyToId?: string): string {
  return `${DRAFT_KEY_PREFIX}${userId}:${replyToId ?? "post"}`;
}

/** The ids of posts to which a member has a draft of a reply on this device. */
export function listPostIdsWithReplyDraft(userId: string): string[] {
  try {
    const prefix = `${DRAFT_KEY_PREFIX}${userId}:`;
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    // The draft of a new post has no id.
    return keys.map((key) => key.slice(prefix.length)).filter((target) => /^\d+$/.test(target));
  } catch {
    return [];
  }
}

/** Deletes all drafts on this device. */
export function clearAllDrafts(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      // sessionStorage has a draft's number of lost images under a key that ends with the draft's key.
      const keys = Object.keys(storage).filter((key) => key.includes(DRAFT_KEY_PREFIX));
      keys.forEach((key) => storage.removeItem(key));
    }
  } catch {
    // Without storage there is nothing to delete in it.
  }
}
