import { describe, expect, it } from "vitest";
import { plural } from "./count";

describe("the noun for a count", () => {
  it.each([
    [0, "votes"],
    [1, "vote"],
    [2, "votes"],
  ])("of %i is %s", (count, noun) => {
    expect(plural(count, "vote")).toBe(noun);
  });
});
