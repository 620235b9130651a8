import {
  hashKey,
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
} from "@tanstack/react-query";
import { loadedPages } from "@/lib/navigation/saved-scroll";
import { getNextPageParam, type PageParam } from "./link-header";
import { isHistoryReturn } from "@/lib/navigation/scroll-restoration";
import { bodyOf } from "./client";
import { markStale, pagesOf, queryClient } from "./query-client";

/** Pages that a reload fetches again at most, one after the other. */
const MOST_PAGES = 20;

export interface Page<Row> {
  rows: Row[];
  next: PageParam | null;
}

export type Pages<Row> = InfiniteData<Page<Row>, PageParam | null>;

export type RequestPage<Row> = (
  query: { limit: number } & Partial<PageParam>,
  start: PageParam | null,
) => Promise<{ data?: Row[]; response: Response }>;

export type List<Row extends { id: string }> = ReturnType<typeof paged<Row>> & {
  refetchOnMount?: "always" | ((query: { state: { data?: unknown } }) => false | "always");
};

/** A list that comes in pages of `limit` rows, and is read as its rows, each once. */
export function paged<Row extends { id: string }>(
  queryKey: QueryKey,
  limit: number,
  request: RequestPage<Row>,
  initialPageParam: PageParam | null = null,
) {
  return {
    queryKey,
    initialPageParam,
    queryFn: async ({ pageParam: start }: { pageParam: PageParam | null }): Promise<Page<Row>> => {
      const answer = await request({ limit, ...start }, start);
      const rows = bodyOf(answer);
      const next = getNextPageParam(answer.response, rows.length, limit, start ?? { offset: 0 });
      return { rows, next };
    },
    getNextPageParam: (page: Page<Row>) => page.next,
    select: rowsOf<Row>,
  };
}

function rowsOf<Row extends { id: string }>({ pages }: Pages<Row>): Row[] {
  return [...new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.id, row]))).values()];
}

/** Fetching such a list again requests its first page only: else every loaded one, one after the other. */
export const firstPageAgain = { pages: 1 };

/** The rows of a list; after a reload of as many pages as were loaded before. */
export function useList<Row extends { id: string }>(list: List<Row>) {
  usePrefetchInfiniteQuery(withPagesBefore(list));
  return useInfiniteQuery(list);
}

/** A list to be fetched with as many pages as the reader had loaded, if this is a return to it. */
export function withPagesBefore<Options extends { queryKey: QueryKey }>(list: Options) {
  const before = isHistoryReturn() ? loadedPages.get(hashKey(list.queryKey)) : undefined;
  return { ...list, pages: Math.min(before ?? 1, MOST_PAGES) };
}

/** Notes how many pages of each list are loaded, for after a reload. */
export function noteLoadedPages(): void {
  for (const { queryHash, state } of queryClient.getQueryCache().getAll()) {
    const pages = pagesOf(state.data);
    if (pages > 0) loadedPages.set(queryHash, pages);
  }
}

/** Marks lists as stale. What is on screen is fetched again, unless the reader is far down a list. */
export function refreshLists(...queryKeys: QueryKey[]): void {
  markStale(...queryKeys);
  const isFarDown = scrollY > innerHeight;
  for (const queryKey of queryKeys) {
    void queryClient.refetchQueries({
      queryKey,
      type: "active",
      predicate: ({ state }) => !isFarDown || pagesOf(state.data) <= 1,
    });
  }
}

export function patchRows<Row>(queryKey: QueryKey, change: (rows: Row[]) => Row[]): void {
  queryClient.setQueriesData<Pages<Row>>({ queryKey }, (list) =>
    pagesOf(list) > 0 && list
      ? { ...list, pages: list.pages.map((page) => ({ ...page, rows: change(page.rows) })) }
      : list,
  );
}

/** Fetches again what is on screen below these keys; throws if it can't. */
export async function refreshShown(queryKeys: readonly QueryKey[]): Promise<void> {
  await Promise.all(
    queryKeys.map(async (queryKey) => {
      const shown = { queryKey, type: "active" } as const;
      await queryClient.cancelQueries(shown);
      await queryClient.refetchQueries(shown, { throwOnError: true });
    }),
  );
}
