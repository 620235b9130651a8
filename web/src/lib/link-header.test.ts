import { describe, expect, it } from "vitest";
import { nextPage } from "./link-header";

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
