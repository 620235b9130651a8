import { describe, expect, it } from "vitest";
import { countGraphemes, firstGrapheme } from "./graphemes";

describe("countGraphemes", () => {
  it.each([
    ["", 0],
    ["hello", 5],
    ["a\nb", 3],
    ["\r\n", 1],
    ["é", 1],
    ["e\u0301", 1],
    ["👩‍👩‍👧‍👦", 1],
    ["👍🏽👍🏿", 2],
    ["🇩🇪🇫🇷", 2],
    ["한국어", 3],
    ["नमस्ते", 3],
    ["❤️", 1],
  ])("counts %j as %i", (text, count) => {
    expect(countGraphemes(text)).toBe(count);
  });
});

describe("firstGrapheme", () => {
  it("keeps a joined emoji whole", () => {
    expect(firstGrapheme("👩‍🚀 Ada")).toBe("👩‍🚀");
  });
  it("is empty for nothing", () => {
    expect(firstGrapheme("")).toBe("");
  });
});
