import { expect, test } from "vitest";
import { getNextTarget, MAX_POSTS, type Watch } from "./watch-target";

function watch(visible: string[], values: Partial<Watch> = {}): Watch {
  return { feed: null, visible, nearby: [], attention: "visible", ...values };
}

const makeIds = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test("the first stream watches the content of all tabs, posts in sight first", () => {
  const watches = [
    watch(["1"], { nearby: ["2"], feed: "9" }),
    watch(["3"], { nearby: ["1", "4"], attention: "focused" }),
  ];
  expect(getNextTarget(watches, null)).toEqual({ feed: "9", posts: ["3", "1", "4", "2"] });
});

test("a tab without posts is watched for its notifications", () => {
  expect(getNextTarget([watch([])], null)).toEqual({ feed: null, posts: [] });
});

test("a stream stays while it has all posts in sight", () => {
  const current = { feed: "9", posts: ["1", "2"] };
  expect(getNextTarget([watch(["2"], { nearby: ["3"], feed: "9" })], current)).toBeNull();
  expect(getNextTarget([watch(["5"], { attention: "hidden" })], current)).toBeNull();
  expect(getNextTarget([watch(["3"])], current)).toEqual({ feed: "9", posts: ["3", "1", "2"] });
});

test("another feed needs another stream if it is visible", () => {
  const current = { feed: "9", posts: [] };
  expect(getNextTarget([watch([], { feed: "8", attention: "hidden" })], current)).toBeNull();
  expect(getNextTarget([watch([], { feed: "8" })], current)).toEqual({ feed: "8", posts: [] });
});

test("of several feeds, the one of the tab in use is watched", () => {
  const watches = [watch([], { feed: "8" }), watch([], { feed: "9", attention: "focused" })];
  expect(getNextTarget(watches, null)?.feed).toBe("9");
  expect(getNextTarget(watches, { feed: "9", posts: [] })).toBeNull();
});

// proves: live-one-stream
test("a stream watches no more than 60 posts, and more in sight do not reopen it", () => {
  const watches = [watch(makeIds("a", 70), { nearby: makeIds("b", 10) })];
  const target = getNextTarget(watches, { feed: null, posts: makeIds("c", 60) });
  expect(target?.posts).toEqual(makeIds("a", MAX_POSTS));
  expect(getNextTarget(watches, target)).toBeNull();
});
