import { getHintedUserId } from "@/lib/storage/session-hint";

/** The requests that `start.js` has sent before the app was there. */
interface PreloadedRequests {
  /** The member that the hint named before the first request. */
  hintedUserId: string | null | undefined;
  /** The responses by URL. */
  responses: Map<string, Promise<Response>>;
}

declare global {
  // oxlint-disable-next-line no-var -- lives on the page's global object
  var preloadedRequests: PreloadedRequests | undefined;
}

/** Sends a request, or returns the response that `start.js` requested before the app was loaded. */
export function fetchOrUsePreloaded(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const responses = globalThis.preloadedRequests?.responses;
  const preloaded = request.method === "GET" ? responses?.get(pathname + search) : undefined;
  responses?.delete(pathname + search);
  return preloaded ?? fetch(request);
}

/** The member that the hint named when `start.js` requested a URL, or names now if it did not. */
export function getUserHintAtRequest(path: string): string | null | undefined {
  const preloaded = globalThis.preloadedRequests;
  return preloaded?.responses.has(path) ? preloaded.hintedUserId : getHintedUserId();
}

/** Drops the unused responses, which would be stale later. */
export function discardPreloaded(): void {
  globalThis.preloadedRequests = undefined;
}
