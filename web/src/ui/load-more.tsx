import { useRef } from "react";
import { Button } from "./button";
import { FailureNotice } from "./notice";

interface Props {
  /** A list that comes page by page. */
  query: {
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  label?: string;
}

/**
 * The button below a list that fetches the next page, while there is one; a failure offers to
 * retry. What can take the focus in each row is marked with `data-row`.
 */
export function LoadMore({ query, label = "Load more" }: Props) {
  const place = useRef<HTMLDivElement>(null);

  async function more() {
    if (query.isFetchingNextPage) return;
    const list = place.current?.parentElement;
    const before = rowsOf(list).length;
    await query.fetchNextPage();
    // The reader goes on at the first new row, or tries again.
    setTimeout(() => {
      const next = rowsOf(list)[before] ?? place.current?.querySelector("button");
      next?.focus({ preventScroll: true });
    });
  }

  return (
    <div ref={place} className="flex justify-center">
      {query.isFetchNextPageError && (
        <FailureNotice error={query.error} onRetry={() => void more()} />
      )}
      {query.hasNextPage && !query.isFetchNextPageError && (
        // Not disabled meanwhile: a disabled button loses the focus.
        <Button
          look="outline"
          aria-disabled={query.isFetchingNextPage}
          className="my-8"
          onClick={() => void more()}
        >
          {query.isFetchingNextPage ? "Loading..." : label}
        </Button>
      )}
    </div>
  );
}

function rowsOf(list: HTMLElement | null | undefined): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
}
