import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limitCache } from "./limit-cache";
import { queryKeys } from "./query-keys";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function createClient() {
  const client = new QueryClient({
    defaultOptions: {
      queries: { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY },
    },
  });
  limitCache(client.getQueryCache());
  /** Shows the data of a query for a moment. */
  const visit = (queryKey: readonly unknown[]) => {
    new QueryObserver(client, { queryKey }).subscribe(() => undefined)();
    vi.advanceTimersByTime(10);
  };
  return { client, visit };
}

const postId = (index: number) => String(1_000_000 + index);

// proves: web-cache-bounded
test("of the queries that no screen uses, those used last are kept", () => {
  const { client, visit } = createClient();
  const tags = Array.from({ length: 60 }, (_, index) => queryKeys.hashtag(`tag${index}`));
  for (const key of tags) client.setQueryData(key, []);
  tags.forEach(visit);
  const shown = new QueryObserver(client, { queryKey: tags[0] ?? [] });
  const leave = shown.subscribe(() => undefined);
  vi.advanceTimersByTime(2_000);
  const kept = tags.filter((key) => client.getQueryData(key) !== undefined);
  expect(kept).toEqual([tags[0], ...tags.slice(10)]);
  leave();
});

// proves: web-cache-bounded
test("posts in no list are removed, and the others stay with their reposted originals", () => {
  const { client, visit } = createClient();
  for (let index = 0; index < 1_200; index += 1) {
    const original = index === 5 ? { id: postId(900) } : null;
    client.setQueryData(queryKeys.post(postId(index)), { id: postId(index), repostOf: original });
  }
  const ids = Array.from({ length: 10 }, (_, index) => postId(index));
  client.setQueryData(queryKeys.feed("friends"), { pages: [{ rows: ids.map((id) => ({ id })) }] });
  visit(queryKeys.feed("friends"));
  vi.advanceTimersByTime(2_000);
  const left = client.getQueryCache().findAll({ queryKey: queryKeys.posts });
  expect(left.map(({ queryKey }) => queryKey[1])).toEqual([...ids, postId(900)]);
});

test("few posts are kept even if no list has them", () => {
  const { client, visit } = createClient();
  client.setQueryData(queryKeys.post(postId(1)), { id: postId(1) });
  client.setQueryData(queryKeys.account, {});
  visit(queryKeys.account);
  vi.advanceTimersByTime(2_000);
  expect(client.getQueryData(queryKeys.post(postId(1)))).toBeDefined();
});
