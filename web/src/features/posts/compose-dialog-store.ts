import type { Post } from "@/api/types";
import { createStore } from "@/lib/state/store";

/** The target of the compose dialog; null while it is closed. */
export const composeTarget = createStore<{ replyTo: Post | null } | null>(null);

export function openCompose(replyTo: Post | null = null): void {
  composeTarget.set({ replyTo });
}
