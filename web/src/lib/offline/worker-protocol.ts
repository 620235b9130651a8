/** The cache of what was shared with the installed app, until a member's page takes it over. */
export const SHARES_CACHE = "kith-shares";

/** Which of the member's data the service worker deletes. */
export type MemberData = "images" | "images-and-shares";

/** A message of a page to the service worker, which responds to the message's port. */
export type WorkerRequest =
  | { type: "activate" }
  | { type: "delete"; data: MemberData }
  /** Asks whether the worker's version of the app contains this script. */
  | { type: "contains"; script: string };
