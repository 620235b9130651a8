import { describe, expect, it } from "vitest";
import {
  toImageInput,
  getUploaded,
  moveAttachment,
  parseAttachments,
  getRemainingSlots,
} from "./draft-attachments";
import { makeAttachment } from "@/test/factories/attachment";

const three = ["1", "2", "3"].map((id) => makeAttachment(id));
const order = (images: readonly { id: string }[]) => images.map(({ id }) => id).join("");

describe("the images of a draft", () => {
  it("change places with their neighbours", () => {
    expect(order(moveAttachment(three, "1", 1))).toBe("213");
    expect(order(moveAttachment(three, "3", -1))).toBe("132");
  });
  it("stay where they are at the ends, and when there is no such image", () => {
    expect(moveAttachment(three, "1", -1)).toBe(three);
    expect(moveAttachment(three, "3", 1)).toBe(three);
    expect(moveAttachment(three, "4", 1)).toBe(three);
  });
  // proves: composer-images
  it("have slots up to four", () => {
    expect(
      [0, 1, 4].map((count) => getRemainingSlots(three.concat(three).slice(0, count))),
    ).toEqual([4, 3, 0]);
    expect(getRemainingSlots([...three, ...three])).toBe(0);
  });
});

describe("posting the images", () => {
  it("omits absent images, and those that are uploading", () => {
    expect(toImageInput([])).toEqual({});
    expect(toImageInput([{ id: "1", alt: "A cat", ready: null }])).toEqual({});
  });
  it("names them in order, with descriptions only where there is one", () => {
    expect(toImageInput(three.slice(0, 1))).toEqual({ imageUrls: ["/images/1/800.webp"] });
    expect(toImageInput([makeAttachment("2", "\u200b "), makeAttachment("1", " A cat ")])).toEqual({
      imageUrls: ["/images/2/800.webp", "/images/1/800.webp"],
      imageAlts: ["\u200b", "A cat"],
    });
  });
});

describe("images across a reload", () => {
  it("are those that the server has", () => {
    expect(getUploaded([makeAttachment("1"), { id: "2", alt: "", ready: null }])).toEqual([
      makeAttachment("1"),
    ]);
  });
  it("are at most four, and sound", () => {
    const many = [...three, ...three].map((image) => structuredClone(image));
    expect(parseAttachments(many)).toHaveLength(4);
    const damaged = { ...makeAttachment("1"), ready: { upload: "u", image: { url: "/images/1" } } };
    expect(parseAttachments([damaged, null, "x", makeAttachment("2")])).toEqual([
      makeAttachment("2"),
    ]);
    expect(parseAttachments({ length: 4 })).toEqual([]);
  });
});
