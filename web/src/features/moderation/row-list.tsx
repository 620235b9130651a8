import { useInfiniteQuery, type UseInfiniteQueryOptions } from "@tanstack/react-query";
import type { InfiniteData } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { RowPage } from "@/api/paged";
import type { PageStart } from "@/lib/link-header";
import { LoadMore } from "@/ui/load-more";
import { FailureNotice, Notice } from "@/ui/notice";
import { PostSkeletons } from "@/ui/skeleton";
import { StaleNotice } from "@/ui/stale-notice";

type Start = PageStart | null;

interface Props<Row> {
  query: Pick<
    UseInfiniteQueryOptions<
      RowPage<Row>,
      Error,
      InfiniteData<RowPage<Row>, Start>,
      readonly unknown[],
      Start
    >,
    "queryKey" | "queryFn" | "initialPageParam" | "getNextPageParam"
  >;
  /** What the list is, for screen readers. */
  label: string;
  /** What is said when there is nothing in it. */
  empty: string;
  /** Shows a row as a list item. */
  item: ComponentType<{ row: Row }>;
}

/** A list that comes page by page, with what is shown while it comes, fails or is empty. */
export function RowList<Row extends { id: string }>({
  query: options,
  label,
  empty,
  item: Item,
}: Props<Row>) {
  const query = useInfiniteQuery({ ...options, refetchOnMount: "always" });
  const { data, error } = query;
  if (!data) {
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return <PostSkeletons label="Loading..." />;
  }
  const rows = data.pages.flatMap((page) => page.rows);
  return (
    <>
      <StaleNotice query={query} />
      {rows.length === 0 && !query.hasNextPage && <Notice title={empty} />}
      <ul aria-label={label}>
        {rows.map((row) => (
          <Item key={row.id} row={row} />
        ))}
      </ul>
      <LoadMore query={query} />
    </>
  );
}
