/** Where a page of a list starts: after a cursor, or, on servers without one, at an offset. */
export type PageParam = { offset: number } | { cursor: string };

/**
 * Where the page after a response starts. That is the cursor in its `Link: <…>; rel="next"` header, which
 * a short page can have too. Without one it is the next offset, and null after a page that was not full.
 */
export function getNextPageParam(
  response: Response,
  rows: number,
  pageSize: number,
  start: PageParam,
): PageParam | null {
  const next = /\?([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "");
  const cursor = new URLSearchParams(next?.[1]).get("cursor");
  if (cursor) return { cursor };
  return rows === pageSize && "offset" in start ? { offset: start.offset + pageSize } : null;
}
