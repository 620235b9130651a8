import { createOpenApiHttp } from "openapi-msw";
import type { paths } from "@/api/schema.gen";
import type { ErrorBody } from "@/api/types";

/** MSW's `http`, which accepts only paths, parameters and bodies of the OpenAPI document. */
export const http = createOpenApiHttp<paths>();

/** The body of an error. */
export const errorBody = (message: string, fields?: Record<string, string>): ErrorBody => ({
  code: "mocked",
  message,
  ...(fields && { fields }),
});

export const NOT_FOUND = errorBody("There is nothing here.");

interface PageQuery {
  get: (name: "limit" | "cursor" | "offset") => unknown;
}

/** The requested page of a list, with the `Link` header that leads to the next page. */
export function paginate<Row>(
  { query, request }: { query: PageQuery; request: Request },
  rows: readonly Row[],
): [Row[], { headers: Record<string, string> }] {
  const limit = Number(query.get("limit") ?? 20);
  const start = Number(query.get("cursor") ?? query.get("offset") ?? 0);
  const end = start + limit;
  const url = new URL(request.url);
  url.search = new URLSearchParams({ limit: String(limit), cursor: String(end) }).toString();
  const headers: Record<string, string> =
    end < rows.length ? { Link: `<${url.pathname}${url.search}>; rel="next"` } : {};
  return [rows.slice(start, end), { headers }];
}
