import { describe, expect, it } from "vitest";
import { countGraphemes } from "../../src/lib/text/graphemes";
import { isValidPostText, normalizePost } from "../../src/lib/text/post-text";
import { toSingleLine, choosePayloads, payloads } from "./payloads";

describe("the payloads", () => {
  it("are more than 500, for a name as for a post, and all different", () => {
    for (const limit of [50, 140]) {
      const texts = choosePayloads(limit, 500);
      expect(new Set(texts.map((text) => toSingleLine(text).toLowerCase())).size).toBe(500);
      expect(Math.max(...texts.map((text) => countGraphemes(normalizePost(text))))).toBeLessThan(
        limit + 1,
      );
    }
  });
  it("can each be posted", () => {
    expect(payloads.filter((text) => !isValidPostText(text))).toEqual([]);
  });
  it("are of every kind, also when few are chosen", () => {
    const few = choosePayloads(140, 60).join("\n");
    for (const part of [/<svg/i, /javascript:/i, /&#/, /\{\{|\$\{/, /evil\.test/, /<script/i]) {
      expect(few).toMatch(part);
    }
  });
});
