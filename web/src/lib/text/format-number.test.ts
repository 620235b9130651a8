import { describe, expect, it } from "vitest";
import { pluralize } from "./format-number";

describe("the noun for a count", () => {
  it.each([
    [0, "votes"],
    [1, "vote"],
    [2, "votes"],
  ])("of %i is %s", (count, noun) => {
    expect(pluralize(count, "vote")).toBe(noun);
  });
});
