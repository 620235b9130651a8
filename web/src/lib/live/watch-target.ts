/** The content of one tab that needs live updates. */
export interface Watch {
  /** The newest post of the feed on its screen. */
  feed: string | null;
  /** The posts in sight. */
  visible: readonly string[];
  /** Further posts of the page, the nearest first. */
  nearby: readonly string[];
  /** Whether a reader sees the tab, or uses it. */
  attention: "hidden" | "visible" | "focused";
}

/** The targets of a stream. */
export interface Target {
  feed: string | null;
  posts: readonly string[];
}

/** Posts that one stream watches at most. */
export const MAX_POSTS = 60;

const ranks = { hidden: 0, visible: 1, focused: 2 };

/**
 * What the next stream for these tabs watches, or null while the current one has all that readers see. Of
 * several feeds, the one of the tab in use counts. Posts in sight come first, those on the pages next, and
 * those of the stream before fill what is left: a reader who goes back needs no new stream.
 */
export function getNextTarget(watches: readonly Watch[], current: Target | null): Target | null {
  const ordered = watches.toSorted((a, b) => ranks[b.attention] - ranks[a.attention]);
  const seen = ordered.filter(({ attention }) => attention !== "hidden");
  const withFeed = ordered.find(({ feed }) => feed !== null);
  const isFeedSeen = withFeed !== undefined && withFeed.attention !== "hidden";
  const feed = (isFeedSeen ? withFeed.feed : null) ?? current?.feed ?? withFeed?.feed ?? null;
  const visible = unite(seen.flatMap((watch) => watch.visible)).slice(0, MAX_POSTS);
  const watched = new Set(current?.posts);
  const isEnough =
    current !== null && feed === current.feed && visible.every((id) => watched.has(id));
  if (isEnough) return null;
  const shown = ordered.flatMap((watch) => watch.visible.concat(watch.nearby));
  const posts = unite([...visible, ...shown, ...watched]);
  return { feed, posts: posts.slice(0, MAX_POSTS) };
}

const unite = (ids: readonly string[]) => [...new Set(ids)];
