import { expect, it } from "vitest";
import { getNextPageParam } from "./link-header";

const linked = (link: string) => new Response("", { headers: { link } });
const plain = new Response("");

it("the next page starts at the cursor of the header", () => {
  const response = linked('</api/posts/feed?limit=20&cursor=a%2Bb>; rel="next"');
  expect(getNextPageParam(response, 20, 20, { offset: 0 })).toEqual({ cursor: "a+b" });
  expect(getNextPageParam(response, 0, 20, { offset: 0 })).toEqual({ cursor: "a+b" });
});

it("without a cursor, the next page starts at the next offset", () => {
  expect(getNextPageParam(plain, 20, 20, { offset: 40 })).toEqual({ offset: 60 });
  expect(getNextPageParam(linked("garbage"), 20, 20, { offset: 0 })).toEqual({ offset: 20 });
});

it("there is no next page after one that was not full, or that a cursor led to", () => {
  expect(getNextPageParam(plain, 19, 20, { offset: 0 })).toBeNull();
  expect(getNextPageParam(plain, 20, 20, { cursor: "7" })).toBeNull();
  expect(getNextPageParam(linked('</x?cursor=1>; rel="prev"'), 19, 20, { offset: 0 })).toBeNull();
});
