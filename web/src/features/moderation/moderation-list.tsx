import type { ReactNode } from "react";
import type { PaginatedQuery } from "@/api/paginated-query";
import { cx } from "@/lib/dom/cx";
import { PaginatedList } from "@/components/paginated-list";
import { RowBoundary } from "@/components/row-boundary";
import { EmptyState } from "@/ui/empty-state";
import { PostListSkeleton } from "@/ui/skeleton";

interface Props<Row extends { id: string }> {
  list: PaginatedQuery<Row>;
  label: string;
  empty: string;
  className: string;
  children: (row: Row) => ReactNode;
}

/** A list of the moderation pages. Others work on it too: opening it fetches it again. */
export function ModerationList<Row extends { id: string }>(props: Props<Row>) {
  const { list, label, empty, className, children } = props;
  return (
    <PaginatedList
      list={{ ...list, refetchOnMount: "always" }}
      loading={<PostListSkeleton />}
      empty={<EmptyState title={empty} />}
    >
      {(rows) => (
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
      )}
    </PaginatedList>
  );
}
