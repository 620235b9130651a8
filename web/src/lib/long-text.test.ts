import { expect, test } from "vitest";
import { mayBeLong } from "./long-text";

// proves: card-clamp
test("only a text with many lines or many letters may be long", () => {
  expect(mayBeLong("A short post.")).toBe(false);
  expect(mayBeLong("Two paragraphs.\n\nAnd a little more.")).toBe(false);
  expect(mayBeLong("a\n".repeat(13))).toBe(true);
  expect(mayBeLong("字".repeat(200))).toBe(true);
  expect(mayBeLong("words and words ".repeat(30))).toBe(true);
});
