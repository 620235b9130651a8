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
import { type ApiResponse, api, unwrap } from "./client";
import type { ListParams, ListPath, ListRow } from "./list-endpoints";
import { markStale, countPages, queryClient } from "./query-client";

/** Pages that a reload fetches again at most, one after the other. */
const MAX_RESTORED_PAGES = 20;

export interface Page<Row> {
  rows: Row[];
  next: PageParam | null;
}

export type InfinitePages<Row> = InfiniteData<Page<Row>, PageParam | null>;

/** The options of a list's infinite query, for `usePaginatedQuery` and for prefetching. */
export interface PaginatedQuery<Row extends { id: string }> {
  queryKey: QueryKey;
  initialPageParam: PageParam | null;
  queryFn: (context: { pageParam: PageParam | null }) => Promise<Page<Row>>;
  getNextPageParam: (page: Page<Row>) => PageParam | null;
  select: (data: InfinitePages<Row>) => Row[];
  pages?: number;
  refetchOnMount?: "always" | ((query: { state: { data?: unknown } }) => false | "always");
}

type ListOptions<Path extends ListPath, Row> = ListParams<Path> & {
  queryKey: QueryKey;
  pageSize: number;
  initialPageParam?: PageParam;
  /** Whether a refetch requests the first page only; else it requests all loaded ones, one after the other. */
  refetchFirstPageOnly?: boolean;
  /** What is cached of the rows of a page; `requestedAt` is in milliseconds. */
  mapRows?: (rows: ListRow<Path>[], requestedAt: number) => Row[];
};

/**
 * The list at a path of the API, in pages of `pageSize` rows, read as its rows, each once. Path, parameters
 * and rows have the types of the OpenAPI document.
 */
export function paginatedQuery<
  Path extends ListPath,
  Row extends { id: string } = ListRow<Path> & { id: string },
>(path: Path, options: ListOptions<Path, Row>): PaginatedQuery<Row> {
  const { queryKey, pageSize, initialPageParam, refetchFirstPageOnly, mapRows } = options;
  return {
    ...(refetchFirstPageOnly && { pages: 1 }),
    queryKey,
    initialPageParam: initialPageParam ?? null,
    async queryFn({ pageParam }) {
      const requestedAt = Date.now();
      const query = { ...options.query, limit: pageSize, ...pageParam };
      const params = { path: options.path, query };
      const result = await getList<ListRow<Path>>(path, { params });
      const rows = unwrap(result);
      const start = pageParam ?? { offset: 0 };
      const next = getNextPageParam(result.response, rows.length, pageSize, start);
      return { rows: mapRows?.(rows, requestedAt) ?? (rows as unknown[] as Row[]), next };
    },
    getNextPageParam: (page) => page.next,
    select: flattenRows<Row>,
  };
}

/** The client's GET for any list: its own type needs to know the path. */
const getList = api.GET as unknown as <Row>(
  path: ListPath,
  init: { params: object },
) => Promise<ApiResponse<Row[]>>;

function flattenRows<Row extends { id: string }>({ pages }: InfinitePages<Row>): Row[] {
  return [...new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.id, row]))).values()];
}

/** The rows of a list; after a reload of as many pages as were loaded before. */
export function usePaginatedQuery<Row extends { id: string }>(list: PaginatedQuery<Row>) {
  usePrefetchInfiniteQuery(withRestoredPages(list));
  return useInfiniteQuery(list);
}

/** A list to be fetched with as many pages as the reader had loaded, if this is a return to it. */
export function withRestoredPages<Options extends { queryKey: QueryKey }>(list: Options) {
  const loadedBefore = isHistoryReturn() ? loadedPages.get(hashKey(list.queryKey)) : undefined;
  return { ...list, pages: Math.min(loadedBefore ?? 1, MAX_RESTORED_PAGES) };
}

/** Notes how many pages of each list are loaded, for after a reload. */
export function recordLoadedPages(): void {
  for (const { queryHash, state } of queryClient.getQueryCache().getAll()) {
    const pages = countPages(state.data);
    if (pages > 0) loadedPages.set(queryHash, pages);
  }
}

/** Marks lists as stale. What is on screen is fetched again, unless the reader is far down a list. */
export function invalidateLists(...keys: QueryKey[]): void {
  markStale(...keys);
  const isFarDown = scrollY > innerHeight;
  for (const queryKey of keys) {
    void queryClient.refetchQueries({
      queryKey,
      type: "active",
      predicate: ({ state }) => !isFarDown || countPages(state.data) <= 1,
    });
  }
}

export function updateRowsInCache<Row>(queryKey: QueryKey, change: (rows: Row[]) => Row[]): void {
  queryClient.setQueriesData<InfinitePages<Row>>({ queryKey }, (list) =>
    countPages(list) > 0 && list
      ? { ...list, pages: list.pages.map((page) => ({ ...page, rows: change(page.rows) })) }
      : list,
  );
}

/** Fetches again what is on screen below these keys; throws if it can't. */
export async function refetchActive(keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(
    keys.map(async (queryKey) => {
      const active = { queryKey, type: "active" } as const;
      await queryClient.cancelQueries(active);
      await queryClient.refetchQueries(active, { throwOnError: true });
    }),
  );
}
