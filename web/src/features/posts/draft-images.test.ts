import { describe, expect, it } from "vitest";
import { imagesOfPost, keptImages, moveImage, parseImages, roomFor } from "./draft-images";
import { readyImage } from "./invented-image";

const three = ["1", "2", "3"].map((id) => readyImage(id));
const order = (images: readonly { id: string }[]) => images.map(({ id }) => id).join("");

describe("the images of a draft", () => {
  it("change places with their neighbours", () => {
    expect(order(moveImage(three, "1", 1))).toBe("213");
    expect(order(moveImage(three, "3", -1))).toBe("132");
  });
  it("stay where they are at the ends, and when there is no such image", () => {
    expect(moveImage(three, "1", -1)).toBe(three);
    expect(moveImage(three, "3", 1)).toBe(three);
    expect(moveImage(three, "4", 1)).toBe(three);
  });
  // proves: composer-images
  it("leave room for what is missing to four", () => {
    expect([0, 1, 4].map((count) => roomFor(three.concat(three).slice(0, count)))).toEqual([
      4, 3, 0,
    ]);
    expect(roomFor([...three, ...three])).toBe(0);
  });
});

describe("posting the images", () => {
  it("says nothing of them when there are none, and nothing of those on their way", () => {
    expect(imagesOfPost([])).toEqual({});
    expect(imagesOfPost([{ id: "1", alt: "A cat", ready: null }])).toEqual({});
  });
  it("names them in order, with descriptions only where there is one", () => {
    expect(imagesOfPost(three.slice(0, 1))).toEqual({ imageUrls: ["/images/1/800.webp"] });
    expect(imagesOfPost([readyImage("2", "\u200b "), readyImage("1", " A cat ")])).toEqual({
      imageUrls: ["/images/2/800.webp", "/images/1/800.webp"],
      imageAlts: ["\u200b", "A cat"],
    });
  });
});

describe("images across a reload", () => {
  it("are those that the server has", () => {
    expect(keptImages([readyImage("1"), { id: "2", alt: "", ready: null }])).toEqual([
      readyImage("1"),
    ]);
  });
  it("are at most four, and sound", () => {
    const many = [...three, ...three].map((image) => structuredClone(image));
    expect(parseImages(many)).toHaveLength(4);
    const damaged = { ...readyImage("1"), ready: { upload: "u", image: { url: "/images/1" } } };
    expect(parseImages([damaged, null, "x", readyImage("2")])).toEqual([readyImage("2")]);
    expect(parseImages({ length: 4 })).toEqual([]);
  });
});
