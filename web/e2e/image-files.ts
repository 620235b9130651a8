import { crc32, deflateSync } from "node:zlib";

/** A file for Playwright's `setFiles`. */
export interface ImageFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

type Colour = readonly [red: number, green: number, blue: number];

export const RED: Colour = [220, 30, 30];
export const GREEN: Colour = [30, 180, 60];
export const BLUE: Colour = [40, 60, 220];

/** A PNG file of vertical stripes, from the left. */
export function png(name: string, width: number, height: number, ...stripes: Colour[]): ImageFile {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) {
    row.set(stripes[Math.floor((x * stripes.length) / width)] ?? RED, 1 + x * 3);
  }
  return encodePng(name, width, height, Buffer.concat(Array.from({ length: height }, () => row)));
}

export const red = png("red.png", 90, 60, RED);
export const green = png("green.png", 60, 90, GREEN);
export const blue = png("blue.png", 60, 60, BLUE);

/** A PNG file that cannot be compressed: about three bytes per pixel. */
export function noisePng(name: string, side: number): ImageFile {
  const rows = Buffer.alloc(side * (1 + side * 3));
  let state = 1;
  for (let at = 0; at < rows.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    rows[at] = at % (1 + side * 3) === 0 ? 0 : state >>> 16;
  }
  return encodePng(name, side, side, rows);
}

/** A PNG file whose pixels have the colours that `colour` returns. */
export function paintPng(
  name: string,
  width: number,
  height: number,
  colour: (x: number, y: number) => Colour,
): ImageFile {
  const row = 1 + width * 3;
  const rows = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(colour(x, y), y * row + 1 + x * 3);
  }
  return encodePng(name, width, height, rows);
}

/** A file with these bytes. */
export function makeFile(name: string, mimeType: string, buffer: Buffer): ImageFile {
  return { name, mimeType, buffer };
}

function encodePng(name: string, width: number, height: number, rows: Buffer): ImageFile {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits each of red, green and blue.
  head.set([8, 2], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND")];
  return makeFile(name, "image/png", Buffer.concat([signature, ...parts]));
}

function chunk(name: string, data = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A JPEG file with the Exif orientation 6: a quarter turn clockwise. */
export function rotateJpeg(jpeg: Buffer): Buffer {
  // A TIFF header with a single entry: orientation 6.
  const tiff = Buffer.from("4d4d002a00000008000101120003000000010006000000000000", "hex");
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}
