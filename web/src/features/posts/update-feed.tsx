import { RotateCw } from "lucide-react";
import { useState } from "react";
import type { FeedName } from "@/api/keys";
import { cx } from "@/lib/cx";
import { IconButton } from "@/ui/button";
import { useRefreshFeed } from "./use-refresh-feed";

/** Looks for what is new in the feed on screen. */
export function UpdateFeed({ feed }: { feed: FeedName }) {
  const { refresh, isFetching } = useRefreshFeed(feed);
  const [updated, setUpdated] = useState(false);
  async function update() {
    setUpdated(false);
    setUpdated(await refresh());
  }
  return (
    <>
      <IconButton label="Update feed" aria-busy={isFetching} onClick={() => void update()}>
        <RotateCw size={19} aria-hidden className={cx(isFetching && "animate-spin")} />
      </IconButton>
      <span role="status" className="sr-only">
        {updated && !isFetching && "Feed updated"}
      </span>
    </>
  );
}
