import { describe, expect, it } from "vitest";
import { drawThumbhash, type Preview } from "./thumbhash";

function pixel({ width, pixels }: Preview, x: number, y: number): number[] {
  return Array.from(pixels.slice((y * width + x) * 4, (y * width + x) * 4 + 4));
}

function expectNear(found: number[], wanted: number[]) {
  // Others cut fractions off where a clamped array rounds.
  for (const [at, value] of wanted.entries()) {
    expect(Math.abs((found[at] ?? -9) - value), `${found} is ${wanted}`).toBeLessThanOrEqual(1);
  }
}

function draw(text: string, width: number, height: number): Preview {
  const preview = drawThumbhash(text, width, height);
  if (!preview) throw new Error("No preview.");
  return preview;
}

describe("a thumbhash", () => {
  // The corners and the middle of both were computed by the format's own implementation.
  it("is drawn in the image's shape", () => {
    const preview = draw("1QcSHQRnh493V4dIh4eXh1h4kJUI", 230, 320);
    expect([preview.width, preview.height]).toEqual([23, 32]);
    expectNear(pixel(preview, 0, 0), [64, 77, 113, 255]);
    expectNear(pixel(preview, 22, 0), [84, 109, 139, 255]);
    expectNear(pixel(preview, 0, 31), [0, 12, 42, 255]);
    expectNear(pixel(preview, 22, 31), [0, 4, 39, 255]);
    expectNear(pixel(preview, 11, 16), [140, 109, 88, 255]);
  });
  it("may let the page shine through", () => {
    const preview = draw("YUiGIw5JorB3d3iisCj6hIB6iIiHiHg=", 19, 32);
    expectNear(pixel(preview, 0, 0), [131, 80, 129, 115]);
    expectNear(pixel(preview, 18, 0), [232, 12, 123, 227]);
    expectNear(pixel(preview, 0, 31), [127, 152, 120, 8]);
    expectNear(pixel(preview, 9, 16), [130, 125, 130, 145]);
  });
  it("is nothing when it is damaged, and something when it is cut short", () => {
    expect(drawThumbhash("", 4, 3)).toBeNull();
    expect(drawThumbhash("not base64!", 4, 3)).toBeNull();
    expect(draw("1QcSHQRn", 4, 3).pixels).toHaveLength(32 * 24 * 4);
    expect(draw("1QcSHQRnh493V4dIh4eXh1h4kJUI", 9_000, 1)).toMatchObject({ width: 32, height: 1 });
  });
});
