import { useSyncExternalStore } from "react";
import { createStore, useStore } from "@/lib/state/store";
import type { InfinitePages } from "../paginated-query";
import type { PostRow } from "../post-cache";
import { followingFeedQuery } from "../posts";
import { queryClient } from "../query-client";
import type { NewPostsEvent } from "../types";

/** How many posts are newer than a row of the Friends feed. */
export interface NewPosts extends NewPostsEvent {
  /** The row, or `EMPTY_FEED`. */
  feed: string;
}

export const newPosts = createStore<NewPosts | null>(null);

const { queryKey, queryFn, initialPageParam } = followingFeedQuery;

type Feed = InfinitePages<PostRow>;

/** Stands for the newest row of a feed without rows. */
const EMPTY_FEED = "0";

/** The newest row that the server has listed; an own post added since does not hide those before it. */
export function getNewestRow(feed: Feed | undefined): string | null {
  if (!feed) return null;
  const rows = feed.pages[0]?.rows ?? [];
  return (rows.find(({ isAddedHere }) => !isAddedHere) ?? rows[0])?.id ?? EMPTY_FEED;
}

/** The newest row of the Friends feed, if that has been loaded. */
export const getNewestLoadedRow = () => getNewestRow(queryClient.getQueryData<Feed>(queryKey));

const subscribeToCache = (onChange: () => void) => queryClient.getQueryCache().subscribe(onChange);

/** How many posts the Friends feed has that are not loaded; 21 is more than 20. */
export function useNewPostCount(): number {
  // An observer would create the query before the feed does, which then would not fetch all pages of a return.
  const newest = useSyncExternalStore(subscribeToCache, getNewestLoadedRow, getNewestLoadedRow);
  const latest = useStore(newPosts);
  return latest && latest.feed === newest ? latest.count : 0;
}

/**
 * Loads the new posts above those that the Friends feed has, which stay if there is no gap between them.
 * Returns the ids of the new rows, newest first.
 */
export async function loadNewPosts(): Promise<string[]> {
  const page = await queryFn({ pageParam: initialPageParam });
  await queryClient.cancelQueries({ queryKey });
  const loaded = queryClient.getQueryData<Feed>(queryKey);
  const rows = loaded?.pages.flatMap((it) => it.rows) ?? [];
  const end = rows.findIndex(({ id }) => id === page.rows.at(-1)?.id);
  const older = end === -1 ? [] : rows.slice(end + 1);
  const next = loaded?.pages.at(-1)?.next ?? null;
  queryClient.setQueryData<Feed>(queryKey, {
    pages: older.length > 0 ? [page, { rows: older, next }] : [page],
    pageParams: older.length > 0 ? [initialPageParam, page.next] : [initialPageParam],
  });
  newPosts.set(null);
  const known = new Set(rows.map(({ id }) => id));
  return page.rows.map(({ id }) => id).filter((id) => !known.has(id));
}
