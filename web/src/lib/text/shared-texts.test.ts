import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { countGraphemes } from "./graphemes";
import { isValidPostText, normalizePost } from "./post-text";

interface List {
  counted: [text: string, count: number][];
  cleaned: [typed: string, kept: string, blank: boolean][];
}

interface Made {
  vectors: [text: string, count: number][];
}

// The server's tests read the same lists.
function read(name: string): unknown {
  const path = fileURLToPath(new URL(`../../../../testdata/${name}`, import.meta.url));
  return JSON.parse(readFileSync(path, "utf8"));
}

const list = read("texts.json") as List;
const { vectors } = read("graphemes.json") as Made;

describe("texts that the server counts and cleans, too", () => {
  // proves: post-web-same
  it("has them counted alike", () => {
    expect(vectors.length).toBe(10_000);
    const wrong = [...list.counted, ...vectors].filter(
      ([text, count]) => countGraphemes(text) !== count,
    );
    expect(wrong).toEqual([]);
  });
  // proves: post-web-same
  it("has them cleaned alike", () => {
    expect(list.cleaned.length).toBeGreaterThan(40);
    for (const [typed, kept, blank] of list.cleaned) {
      expect(normalizePost(typed), JSON.stringify(typed)).toBe(kept);
      expect(isValidPostText(typed), JSON.stringify(typed)).toBe(!blank);
    }
  });
});
