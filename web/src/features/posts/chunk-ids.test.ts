import { expect, it } from "vitest";
import { chunkIds } from "./chunk-ids";

const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => String(100 + from + index));

it("keeps every id, in its order", () => {
  expect(chunkIds(ids(23)).flat()).toEqual(ids(23));
  expect(chunkIds([])).toEqual([]);
});

it("starts a block at the ids that end in 0 or 5", () => {
  expect(chunkIds(ids(7, 3))).toEqual([
    ["103", "104"],
    ["105", "106", "107", "108", "109"],
  ]);
});

it("leaves all blocks but the first alone when an id comes on top", () => {
  const before = chunkIds(ids(40, 3));
  expect(chunkIds(["999", ...ids(40, 3)]).slice(1)).toEqual(before.slice(1));
});

it("never makes a block of more than ten", () => {
  const alike = Array.from({ length: 35 }, (_, index) => `${index}1`);
  expect(Math.max(...chunkIds(alike).map((block) => block.length))).toBe(10);
});
