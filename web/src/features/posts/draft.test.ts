import { describe, expect, it } from "vitest";
import { parseDraft } from "./draft";
import { readyImage } from "./invented-image";

describe("parseDraft", () => {
  it("reads back what was kept", () => {
    const draft = {
      text: "hi",
      poll: ["a", ""],
      images: [readyImage("1")],
      attempt: { key: "k", sent: "s" },
    };
    expect(parseDraft(structuredClone(draft))).toEqual(draft);
  });
  it.each([null, 7, "text", [], {}, { text: 1 }])("makes an empty draft of %j", (value) => {
    expect(parseDraft(value)).toEqual({ text: "", poll: null, images: [] });
  });
  it("keeps the text when the rest is damaged", () => {
    const images = [{ id: "1", alt: "", ready: null }, { id: "2" }, 3, readyImage("4")];
    expect(parseDraft({ text: "hi", poll: [1], images, attempt: { key: 1 } })).toEqual({
      text: "hi",
      poll: null,
      images: [readyImage("4")],
    });
  });
});
