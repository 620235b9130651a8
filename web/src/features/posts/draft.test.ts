import { describe, expect, it } from "vitest";
import { parseDraft } from "./draft";

describe("parseDraft", () => {
  it("reads back what was kept", () => {
    const draft = { text: "hi", poll: ["a", ""], attempt: { key: "k", sent: "s" } };
    expect(parseDraft(structuredClone(draft))).toEqual(draft);
  });
  it.each([null, 7, "text", [], {}, { text: 1 }])("makes an empty draft of %j", (value) => {
    expect(parseDraft(value)).toEqual({ text: "", poll: null });
  });
  it("keeps the text when the rest is damaged", () => {
    expect(parseDraft({ text: "hi", poll: [1], attempt: { key: 1 } })).toEqual({
      text: "hi",
      poll: null,
    });
  });
});
