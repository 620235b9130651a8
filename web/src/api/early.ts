declare global {
  // oxlint-disable-next-line no-var -- lives on the page's global object
  var early: Map<string, Promise<Response>> | undefined;
}

/**
 * Calls the server. What `start.js` has asked for before the app was there is not asked again: its
 * answer is for the first who wants it.
 */
export function call(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answer = request.method === "GET" ? globalThis.early?.get(pathname + search) : undefined;
  globalThis.early?.delete(pathname + search);
  return answer ?? fetch(request);
}

/** Forgets the answers that nobody wanted; later they would be old. */
export function dropEarly(): void {
  globalThis.early = undefined;
}
