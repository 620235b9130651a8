import { Button } from "./button";
import { FailureNotice } from "./notice";

interface Props {
  /** A list that comes page by page. */
  query: {
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  label?: string;
}

/** The button below a list that fetches the next page, while there is one; a failure offers to retry. */
export function LoadMore({ query, label = "Load more" }: Props) {
  const more = () => void query.fetchNextPage();
  if (query.isFetchNextPageError) return <FailureNotice error={query.error} onRetry={more} />;
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center py-8">
      <Button look="outline" disabled={query.isFetchingNextPage} onClick={more}>
        {query.isFetchingNextPage ? "Loading..." : label}
      </Button>
    </div>
  );
}
