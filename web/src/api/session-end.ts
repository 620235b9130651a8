import { createStore } from "@/lib/state/store";

/** The server's message about why this browser's session was ended elsewhere; null if it was not. */
export const sessionEndReason = createStore<string | null>(null);
