import { getHintedUserId } from "@/lib/storage/session-hint";

/** The requests that `start.js` has sent before the app was there. */
interface PreloadedRequests {
  /** The member that the hint named before the first request. */
  member: string | null | undefined;
  /** The responses by their URLs. */
  answers: Map<string, Promise<Response>>;
}

declare global {
  // oxlint-disable-next-line no-var -- lives on the page's global object
  var early: PreloadedRequests | undefined;
}

/** Sends a request, or takes the response that `start.js` requested before the app was loaded. */
export function fetchOrUsePreloaded(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answers = globalThis.early?.answers;
  const preloaded = request.method === "GET" ? answers?.get(pathname + search) : undefined;
  answers?.delete(pathname + search);
  return preloaded ?? fetch(request);
}

/** The member that the hint named when a URL was requested early, or names now if it was not. */
export function getUserHintAtRequest(path: string): string | null | undefined {
  const { early } = globalThis;
  return early?.answers.has(path) ? early.member : getHintedUserId();
}

/** Drops the responses that nothing has read; later they would be old. */
export function discardPreloaded(): void {
  globalThis.early = undefined;
}
