import { hintedMember } from "@/lib/member-hint";

/** What `start.js` has asked for before the app was there. */
interface Early {
  /** Whom the hint named before the first call. */
  member: string | null | undefined;
  /** The answers by their addresses. */
  answers: Map<string, Promise<Response>>;
}

declare global {
  // oxlint-disable-next-line no-var -- lives on the page's global object
  var early: Early | undefined;
}

/** Calls the server, or takes the response that `start.js` requested before the app was there. */
export function call(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answers = globalThis.early?.answers;
  const answer = request.method === "GET" ? answers?.get(pathname + search) : undefined;
  answers?.delete(pathname + search);
  return answer ?? fetch(request);
}

/** Whom the hint named when an address was asked for early, or names now where it was not. */
export function hintBefore(address: string): string | null | undefined {
  const { early } = globalThis;
  return early?.answers.has(address) ? early.member : hintedMember();
}

/** Forgets the answers that nobody wanted; later they would be old. */
export function dropEarly(): void {
  globalThis.early = undefined;
}
