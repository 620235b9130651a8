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
 * Where the page after an answer starts: null after a page that was not full, else what the answer
 * says, or the next offset where it says nothing.
 */
export function nextStart(
  response: Response,
  rows: number,
  pageSize: number,
  start: PageStart,
): PageStart | null {
  if (rows < pageSize) return null;
  const said = nextPage(response.headers.get("link"));
  if (said) return said;
  return "offset" in start ? { offset: start.offset + pageSize } : null;
}
