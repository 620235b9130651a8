import { expect, test } from "vitest";
import { mayNeedClamping } from "./long-text";

// proves: card-clamp
test("only a text with many lines or many letters may be long", () => {
  expect(mayNeedClamping("A short post.")).toBe(false);
  expect(mayNeedClamping("Two paragraphs.\n\nAnd a little more.")).toBe(false);
  expect(mayNeedClamping("a\n".repeat(13))).toBe(true);
  expect(mayNeedClamping("字".repeat(200))).toBe(true);
  expect(mayNeedClamping("words and words ".repeat(30))).toBe(true);
});
