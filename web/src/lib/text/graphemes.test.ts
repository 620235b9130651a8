import { describe, expect, it } from "vitest";
import { firstGrapheme } from "./graphemes";

describe("firstGrapheme", () => {
  it("keeps a joined emoji whole", () => {
    expect(firstGrapheme("👩‍🚀 Ada")).toBe("👩‍🚀");
  });
  it("keeps the accents of a letter with it", () => {
    expect(firstGrapheme("E\u0301milie")).toBe("E\u0301");
    expect(firstGrapheme("Émilie")).toBe("É");
    expect(firstGrapheme("A\u200dB")).toBe("A\u200d");
  });
  it("is empty for nothing", () => {
    expect(firstGrapheme("")).toBe("");
  });
});
