import { createStore } from "@/lib/state/store";

/** The server's sentence about why this browser's session was ended from elsewhere; null if none was. */
export const sessionEndReason = createStore<string | null>(null);
