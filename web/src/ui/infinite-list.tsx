import type { ReactNode } from "react";
import { type List, useList } from "@/api/lists";
import { useFirstFew } from "@/lib/use-first-few";
import { LoadMore } from "./load-more";
import { Notice } from "./notice";
import { QueryView, type QueryViewProps } from "./query-view";

interface Props<Row extends { id: string }> extends Pick<
  QueryViewProps<Row[]>,
  "loading" | "notFound" | "loggedOut"
> {
  list: List<Row>;
  /** Shown when there are no rows. */
  empty: ReactNode;
  /** The label of the button for the next page. */
  more?: string;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list that grows on request. */
export function InfiniteList<Row extends { id: string }>(props: Props<Row>) {
  const { list, loggedOut = <Notice title="Please log in." />, children, ...rest } = props;
  const query = useList(list);
  return (
    <QueryView {...rest} query={query} loggedOut={loggedOut}>
      {(rows) => (
        <Rows {...rest} query={query} rows={rows}>
          {children}
        </Rows>
      )}
    </QueryView>
  );
}

interface RowsProps<Row extends { id: string }> extends Pick<
  Props<Row>,
  "empty" | "more" | "children"
> {
  query: ReturnType<typeof useList>;
  rows: readonly Row[];
}

function Rows<Row extends { id: string }>(props: RowsProps<Row>) {
  const { query, rows, empty, more = "Load more", children } = props;
  const shown = useFirstFew(rows);
  return (
    <>
      {rows.length === 0 && !query.hasNextPage && empty}
      {children(shown)}
      {shown.length === rows.length && <LoadMore query={query} label={more} />}
    </>
  );
}
