import { describe, expect, it } from "vitest";
import { normalizeUsername } from "./username";

describe("cleanUsername", () => {
  it.each([
    ["Ada_L", "ada_l"],
    ["  @ada ", "ada"],
    ["@@ada", "ada"],
    ["a@b", "a@b"],
    ["", ""],
  ])("%j is %j", (typed, clean) => expect(normalizeUsername(typed)).toBe(clean));
});
