import { useIsFetching } from "@tanstack/react-query";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { type FeedName, keys } from "@/api/keys";
import { refreshFeed } from "@/api/posts";

/** A way to fetch a feed anew (it answers whether that worked), and whether it is being fetched. */
export function useRefreshFeed(name: FeedName) {
  const isFetching = useIsFetching({ queryKey: keys.feed(name) }) > 0;
  async function refresh(): Promise<boolean> {
    if (isFetching) return false;
    try {
      await refreshFeed(name);
      return true;
    } catch (error) {
      showFailure(error, sentenceOf(error, "Failed to refresh the feed. Please try again."));
      return false;
    }
  }
  return { refresh, isFetching };
}
