import { describe, expect, it } from "vitest";
import { firstGrapheme } from "./graphemes";

describe("firstGrapheme", () => {
  it("keeps a joined emoji whole", () => {
    expect(firstGrapheme("👩‍🚀 Ada")).toBe("👩‍🚀");
  });
  it("is empty for nothing", () => {
    expect(firstGrapheme("")).toBe("");
  });
});
