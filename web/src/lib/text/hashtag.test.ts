import { describe, expect, it } from "vitest";
import { getHashtagHref, parseHashtagParam } from "./hashtag";

describe("the URL of a hashtag", () => {
  it.each(["webdev", "café", "日本", "a_1", "שלום", "क्षमा"])("of %j leads back to it", (tag) => {
    const address = getHashtagHref(tag);
    expect(address).toMatch(/^\/tag\/[\x21-\x7e]+$/);
    expect(parseHashtagParam(decodeURI(address.slice("/tag/".length)))).toBe(tag);
  });
  it.each([
    ["%23webdev", "webdev"],
    ["#webdev", "webdev"],
    ["＃webdev", "webdev"],
    ["##webdev", "#webdev"],
    ["100%", "100%"],
    ["a%2Fb", "a/b"],
    ["%E0%A4%A", "%E0%A4%A"],
  ])("takes %j for %j", (part, tag) => expect(parseHashtagParam(part)).toBe(tag));
});
