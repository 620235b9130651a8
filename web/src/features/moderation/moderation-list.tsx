import { t } from "@lingui/core/macro";
import { useQuery, type UseQueryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PaginatedQuery } from "@/api/paginated-query";
import { cx } from "@/lib/dom/cx";
import { PaginatedList } from "@/components/paginated-list";
import { QueryView } from "@/components/query-view";
import { RowBoundary } from "@/components/row-boundary";
import { EmptyState } from "@/ui/empty-state";
import { PostListSkeleton } from "@/ui/skeleton";

interface Props<Row extends { id: string }> {
  label: string;
  empty: string;
  className: string;
  children: (row: Row) => ReactNode;
}

/** A list of the moderation pages. Others work on it too: opening it fetches it again. */
export function ModerationList<Row extends { id: string }>(
  props: Props<Row> & { list: PaginatedQuery<Row> },
) {
  const { list, empty } = props;
  return (
    <PaginatedList
      list={{ ...list, refetchOnMount: "always" }}
      loading={<PostListSkeleton />}
      empty={<EmptyState title={empty} />}
    >
      {(rows) => <Rows {...props} rows={rows} />}
    </PaginatedList>
  );
}

/** A list of the moderation pages that comes as a whole. Opening it fetches it again, too. */
export function CompleteModerationList<Row extends { id: string }>(
  props: Props<Row> & { query: UseQueryOptions<Row[]> },
) {
  const query = useQuery({ ...props.query, refetchOnMount: "always" });
  return (
    <QueryView
      query={query}
      loading={<PostListSkeleton />}
      loggedOut={<EmptyState title={t`Please log in.`} />}
    >
      {(rows) =>
        rows.length === 0 ? <EmptyState title={props.empty} /> : <Rows {...props} rows={rows} />
      }
    </QueryView>
  );
}

function Rows<Row extends { id: string }>(props: Props<Row> & { rows: readonly Row[] }) {
  const { rows, label, className, children } = props;
  return (
    <ul aria-label={label}>
      {rows.map((row) => (
        <li
          key={row.id}
          tabIndex={-1}
          data-row
          className={cx("border-b border-border px-4 -outline-offset-2 sm:px-5", className)}
        >
          <RowBoundary>{children(row)}</RowBoundary>
        </li>
      ))}
    </ul>
  );
}
