import { t } from "@lingui/core/macro";
import { type ReactNode, useRef } from "react";
import { type PaginatedQuery, usePaginatedQuery } from "@/api/paginated-query";
import { useProgressiveList } from "@/lib/hooks/use-progressive-list";
import { ActionButton } from "@/ui/action-button";
import { ErrorState } from "./error-state";
import { EmptyState } from "@/ui/empty-state";
import { QueryView, type QueryViewProps } from "./query-view";

interface RowsProps<Row> {
  empty: ReactNode;
  more?: string;
  /** The focusable element of each row has the attribute `data-row`. */
  children: (rows: readonly Row[]) => ReactNode;
}

interface Props<Row extends { id: string }>
  extends RowsProps<Row>, Pick<QueryViewProps<Row[]>, "loading" | "notFound" | "loggedOut"> {
  list: PaginatedQuery<Row>;
}

/** A list that grows on request. */
export function PaginatedList<Row extends { id: string }>(props: Props<Row>) {
  const { list, loggedOut, ...rest } = props;
  const query = usePaginatedQuery(list);
  return (
    <QueryView
      {...rest}
      query={query}
      loggedOut={loggedOut ?? <EmptyState title={t`Please log in.`} />}
    >
      {(rows) => <Rows {...rest} query={query} rows={rows} />}
    </QueryView>
  );
}

function Rows<Row>(
  props: RowsProps<Row> & { query: ReturnType<typeof usePaginatedQuery>; rows: readonly Row[] },
) {
  const { query, rows, empty, more, children } = props;
  const visibleRows = useProgressiveList(rows);
  const end = useRef<HTMLDivElement>(null);

  async function loadMore() {
    if (query.isFetchingNextPage) return;
    const list = end.current?.parentElement;
    const rowCount = list?.querySelectorAll("[data-row]").length ?? 0;
    await query.fetchNextPage();
    // The reader goes on at the first new row, or tries again.
    setTimeout(() => {
      const next = list?.querySelectorAll<HTMLElement>("[data-row]")[rowCount];
      (next ?? end.current?.querySelector("button"))?.focus({ preventScroll: true });
    });
  }

  return (
    <>
      {rows.length === 0 && !query.hasNextPage && empty}
      {children(visibleRows)}
      {visibleRows.length === rows.length && (
        <div ref={end} className="flex justify-center">
          {query.isFetchNextPageError ? (
            <ErrorState error={query.error} onRetry={() => void loadMore()} />
          ) : (
            query.hasNextPage && (
              <ActionButton
                mutation={{ isPending: query.isFetchingNextPage, mutate: () => void loadMore() }}
                pending={t`Loading...`}
                className="my-8"
              >
                {more ?? t`Load more`}
              </ActionButton>
            )
          )}
        </div>
      )}
    </>
  );
}
