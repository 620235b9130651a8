/** Where the next page of a list starts: after a cursor, or, from servers without one, at an offset. */
export type PageStart = { offset: number } | { cursor: string };

/**
 * Reads the start of the next page from a `Link: <…>; rel="next"` header. Other relations and
 * malformed entries are passed over; no next page answers null.
 */
export function nextPage(header: string | null): PageStart | null {
  for (const entry of header?.matchAll(/<([^>]*)>([^<]*)/g) ?? []) {
    const [, target = "", parameters = ""] = entry;
    if (!/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters)) continue;
    const query = target.includes("?") ? target.slice(target.indexOf("?")) : "";
    const search = new URLSearchParams(query);
    const cursor = search.get("cursor");
    if (cursor) return { cursor };
    const offset = Number(search.get("offset"));
    if (Number.isInteger(offset) && offset > 0) return { offset };
  }
  return null;
}

/**
 * Where the page after an answer starts: what the answer says, which may also be of a short page; where
 * it says nothing the next offset, and null after a page that was not full.
 */
export function nextStart(
  response: Response,
  rows: number,
  pageSize: number,
  start: PageStart,
): PageStart | null {
  const said = nextPage(response.headers.get("link"));
  if (said) return said;
  return rows === pageSize && "offset" in start ? { offset: start.offset + pageSize } : null;
}
