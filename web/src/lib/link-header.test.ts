import { describe, expect, it } from "vitest";
import { nextPage, nextStart } from "./link-header";

describe("nextPage", () => {
  it("reads the cursor", () => {
    expect(nextPage('</api/posts/feed?limit=20&cursor=a%2Bb>; rel="next"')).toEqual({
      cursor: "a+b",
    });
  });
  it("picks the next relation among several", () => {
    const header = '</x?cursor=1>; rel="prev", <https://k.example/x?cursor=2>; rel=next; title="a"';
    expect(nextPage(header)).toEqual({ cursor: "2" });
  });
  it("falls back to an offset", () => {
    expect(nextPage('</x?offset=40>; rel="next"')).toEqual({ offset: 40 });
  });
  it.each([null, "", "garbage", '</x?cursor=1>; rel="nextish"', '</x>; rel="next"'])(
    "answers null for %j",
    (header) => {
      expect(nextPage(header)).toBeNull();
    },
  );
});

describe("the start of the next page", () => {
  const linked = new Response("", { headers: { link: '</x?cursor=7>; rel="next"' } });
  const plain = new Response("");
  it("is none after a page that was not full", () => {
    expect(nextStart(plain, 19, 20, { offset: 0 })).toBeNull();
  });
  it("is what the answer says, else the next offset", () => {
    expect(nextStart(linked, 20, 20, { offset: 0 })).toEqual({ cursor: "7" });
    expect(nextStart(linked, 0, 20, { offset: 0 })).toEqual({ cursor: "7" });
    expect(nextStart(plain, 20, 20, { offset: 40 })).toEqual({ offset: 60 });
    expect(nextStart(plain, 20, 20, { cursor: "7" })).toBeNull();
  });
});
