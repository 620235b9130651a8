import { t } from "@lingui/core/macro";
import { useIsFetching, useMutation } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { type FeedName, queryKeys } from "@/api/query-keys";
import { refetchActive } from "@/api/paginated-query";
import { cx } from "@/lib/dom/cx";
import { IconButton } from "@/ui/button";

export function useRefreshFeed(name: FeedName) {
  const isFetching = useIsFetching({ queryKey: queryKeys.feed(name) }) > 0;
  const { mutate, isSuccess } = useMutation({
    mutationFn: () => refetchActive([queryKeys.feed(name)]),
    meta: { failure: t`Failed to refresh the feed. Please try again.` },
  });
  return { refresh: () => isFetching || mutate(), isFetching, isDone: isSuccess && !isFetching };
}

export function RefreshFeedButton({ feed }: { feed: FeedName }) {
  const { refresh, isFetching, isDone } = useRefreshFeed(feed);
  return (
    <>
      <IconButton label={t`Update feed`} aria-busy={isFetching} onClick={refresh}>
        <RotateCw size={19} aria-hidden className={cx(isFetching && "animate-spin")} />
      </IconButton>
      <span role="status" className="sr-only">
        {isDone && t`Feed updated`}
      </span>
    </>
  );
}
