import { describe, expect, it } from "vitest";
import { isValidPostText, isTooLarge, normalizePost, postLength } from "./post-text";

describe("post text", () => {
  it("trims, unifies line ends and removes deceptive characters", () => {
    expect(normalizePost("  a\r\nb\u202e\u0007 ")).toBe("a\nb");
  });
  it("keeps one blank line between paragraphs", () => {
    expect(normalizePost("a\n\n\n\nb\nc")).toBe("a\n\nb\nc");
  });
  it("counts the text that will be saved", () => {
    expect(postLength("  e\u0301  ")).toBe(1);
  });
  it("accepts 500 characters and rejects 501", () => {
    expect(isValidPostText("x".repeat(500))).toBe(true);
    expect(isValidPostText("x".repeat(501))).toBe(false);
    expect(isValidPostText("👍".repeat(500))).toBe(true);
  });
  it("distinguishes too many bytes from too many characters", () => {
    expect(isTooLarge("👩‍👩‍👧‍👦".repeat(500))).toBe(true);
    expect(isTooLarge("👩‍👩‍👧‍👦".repeat(200))).toBe(false);
    expect(isTooLarge("👩‍👩‍👧‍👦".repeat(501))).toBe(false);
  });
  it("rejects blank text and too many bytes", () => {
    expect(isValidPostText(" \n ")).toBe(false);
    expect(isValidPostText("\u200b\u3164")).toBe(false);
    expect(isValidPostText("👩‍👩‍👧‍👦".repeat(300))).toBe(false);
  });
});
