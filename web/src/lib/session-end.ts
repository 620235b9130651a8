import { createStore } from "./store";

/** The server's sentence about why this browser's session was ended from elsewhere; null if none was. */
export const sessionEnd = createStore<string | null>(null);
