import type { Query, QueryCache } from "@tanstack/react-query";
import { queryKeys } from "./query-keys";

/** Queries besides posts that are kept while no screen uses them. */
const MAX_UNUSED_QUERIES = 50;
/** The number of posts above which those in no cached list are removed. */
const MAX_POSTS = 1_000;
/** The delay after leaving a screen, so that navigation is not slowed down. */
const DELAY_MS = 1_000;

/** Bounds the memory of a tab that stays open for days: removes what was last used longest ago. */
export function limitCache(cache: QueryCache): void {
  const lastUsed = new WeakMap<Query, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  cache.subscribe(({ type, query }) => {
    if (type !== "observerRemoved") return;
    lastUsed.set(query, Date.now());
    timer ??= setTimeout(() => {
      timer = undefined;
      removeUnusedQueries(cache, (unused) => lastUsed.get(unused) ?? 0);
      removeUnusedPosts(cache);
    }, DELAY_MS);
  });
}

function removeUnusedQueries(cache: QueryCache, getLastUse: (query: Query) => number): void {
  cache
    .findAll({ type: "inactive", predicate: (query) => !isPost(query) })
    .toSorted((a, b) => getLastUse(b) - getLastUse(a))
    .slice(MAX_UNUSED_QUERIES)
    .forEach((query) => cache.remove(query));
}

function removeUnusedPosts(cache: QueryCache): void {
  const posts = cache.findAll({ queryKey: queryKeys.posts });
  if (posts.length <= MAX_POSTS) return;
  const others = cache.findAll({ predicate: (query) => !isPost(query) });
  const listed = findIds(others);
  const isUsed = (post: Query) => post.isActive() || listed.has(String(post.queryKey[1]));
  // A kept repost shows its original, too.
  const shown = findIds(posts.filter(isUsed));
  for (const post of posts) {
    if (!isUsed(post) && !shown.has(String(post.queryKey[1]))) cache.remove(post);
  }
}

function isPost({ queryKey }: Query): boolean {
  return queryKey[0] === queryKeys.posts[0];
}

/** All ids in the data of queries, whatever its shape; other long numbers do no harm. */
function findIds(queries: readonly Query[]): Set<string> {
  return new Set(
    queries.flatMap(({ state }) => (JSON.stringify(state.data) ?? "").match(/\d{6,}/g) ?? []),
  );
}
