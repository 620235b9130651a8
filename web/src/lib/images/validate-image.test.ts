import { describe, expect, it } from "vitest";
import { validateImage, MAX_IMAGE_BYTES, sniffImageType } from "./validate-image";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("the type of a file", () => {
  it.each([
    ["\xff\xd8\xff\xe0..", "image/jpeg"],
    ["\x89PNG\r\n\x1a\n....", "image/png"],
    ["RIFF....WEBPVP8 ", "image/webp"],
    ["GIF89a", "image/gif"],
    ["GIF87a", "image/gif"],
    ["\0\0\0\x20ftypavif....", "image/avif"],
    ["\0\0\0\x1cftypmif1....", "image/avif"],
    ["\0\0\0\x18ftypheic....", null],
    ["RIFF....WAVEfmt ", null],
    ["GIF90a", null],
    ["<svg xmlns=", null],
    ["\x89PNG", null],
    ["", null],
  ])("%j is %s", (head, type) => {
    expect(sniffImageType(bytes(head))).toBe(type);
  });
});

const png = bytes("\x89PNG\r\n\x1a\n");
const large = (size: number) => new File([png, new Uint8Array(size - png.length)], "large.png");

describe("looking at a file", () => {
  it("takes 10485760 bytes, and not one more", async () => {
    expect(await validateImage(large(MAX_IMAGE_BYTES))).toEqual({ type: "image/png" });
    expect(MAX_IMAGE_BYTES).toBe(10_485_760);
    expect(await validateImage(large(MAX_IMAGE_BYTES + 1))).toEqual({
      error: "large.png is larger than 10 MB.",
    });
  });
  it("believes the content, not the name and not the type", async () => {
    const text = new File(["hello"], "cat.png", { type: "image/png" });
    expect(await validateImage(text)).toEqual({
      error: "cat.png is not an image Kith can read. Use JPEG, PNG, WebP, GIF or AVIF.",
    });
    const named = new File([png], "notes.txt", { type: "text/plain" });
    expect(await validateImage(named)).toEqual({ type: "image/png" });
  });
  it("rejects empty and unreadable files", async () => {
    expect(await validateImage(new File([], "empty.png"))).toEqual({
      error: "empty.png is empty.",
    });
    const folder = new File([png], "folder");
    folder.slice = () => {
      throw new DOMException("gone", "NotFoundError");
    };
    expect(await validateImage(folder)).toEqual({ error: "folder cannot be read." });
  });
  it("cuts a long name", async () => {
    const check = await validateImage(new File([], `${"😀".repeat(60)}.png`));
    expect(check).toEqual({ error: `${"😀".repeat(39)}… is empty.` });
  });
});
