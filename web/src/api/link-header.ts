/** The start of a page of a list: a cursor or, on servers without cursors, an offset. */
export type PageParam = { offset: number } | { cursor: string };

/**
 * Returns the start of the next page. That is the cursor in the header `Link: <…>; rel="next"`, which
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
