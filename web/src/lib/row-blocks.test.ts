import { expect, it } from "vitest";
import { blocksOf } from "./row-blocks";

const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => String(100 + from + index));

it("keeps every id, in its order", () => {
  expect(blocksOf(ids(23)).flat()).toEqual(ids(23));
  expect(blocksOf([])).toEqual([]);
});

it("starts a block at the ids that end in 0 or 5", () => {
  expect(blocksOf(ids(7, 3))).toEqual([
    ["103", "104"],
    ["105", "106", "107", "108", "109"],
  ]);
});

it("leaves all blocks but the first alone when an id comes on top", () => {
  const before = blocksOf(ids(40, 3));
  expect(blocksOf(["999", ...ids(40, 3)]).slice(1)).toEqual(before.slice(1));
});

it("never makes a block of more than ten", () => {
  const alike = Array.from({ length: 35 }, (_, index) => `${index}1`);
  expect(Math.max(...blocksOf(alike).map((block) => block.length))).toBe(10);
});
