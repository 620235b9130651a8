import { nextStart, type PageStart } from "@/lib/link-header";
import { bodyOf } from "./client";

/** A page of any list. */
export interface RowPage<Row> {
  rows: Row[];
  next: PageStart | null;
}

/** A list that comes page by page, of so many rows each. */
export function paged<Row>(
  queryKey: readonly unknown[],
  limit: number,
  ask: (query: { limit: number } & Partial<PageStart>) => Promise<{
    data?: Row[];
    response: Response;
  }>,
) {
  return {
    queryKey,
    initialPageParam: null,
    queryFn: async ({ pageParam: start }: { pageParam: PageStart | null }) => {
      const answer = await ask({ limit, ...start });
      const rows = bodyOf(answer);
      return { rows, next: nextStart(answer.response, rows.length, limit, start ?? { offset: 0 }) };
    },
    getNextPageParam: (page: RowPage<Row>) => page.next,
  };
}
