import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { countGraphemes } from "./graphemes";
import { isPostable, normalizePost } from "./post-text";

interface List {
  counted: [text: string, count: number][];
  generated: [text: string, count: number][];
  cleaned: [typed: string, kept: string, blank: boolean][];
}

// The server's tests read the same list and say what keeps texts out of it.
const path = fileURLToPath(new URL("../../../testdata/texts.json", import.meta.url));
const list = JSON.parse(readFileSync(path, "utf8")) as List;

describe("texts that the server counts and cleans, too", () => {
  // proves: post-web-same
  it("has them counted alike", () => {
    expect(list.generated.length).toBeGreaterThan(300);
    for (const [text, count] of [...list.counted, ...list.generated]) {
      expect(countGraphemes(text), JSON.stringify(text)).toBe(count);
    }
  });
  // proves: post-web-same
  it("has them cleaned alike", () => {
    expect(list.cleaned.length).toBeGreaterThan(40);
    for (const [typed, kept, blank] of list.cleaned) {
      expect(normalizePost(typed), JSON.stringify(typed)).toBe(kept);
      expect(isPostable(typed), JSON.stringify(typed)).toBe(!blank);
    }
  });
});
