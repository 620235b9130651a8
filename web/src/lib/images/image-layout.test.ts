import { describe, expect, it } from "vitest";
import { spansTwoRows, clampAspectRatio, getSizes } from "./image-layout";

describe("the size of a single image", () => {
  it.each([
    [1_600, 900, 16 / 9],
    [1_000, 1_000, 1],
    [800, 1_000, 0.8],
    [500, 2_000, 0.8],
    [2_000, 100, 4],
  ])("%i × %i", (width, height, shape) => {
    expect(clampAspectRatio({ width, height })).toBeCloseTo(shape);
  });
});

const tall = (count: number) =>
  Array.from({ length: count }, (_, index) => spansTwoRows(count, index));

describe("the size among others", () => {
  it("is tall for both of two and the first of three", () => {
    expect([2, 3, 4].map(tall)).toEqual([
      [true, true],
      [true, false, false],
      [false, false, false, false],
    ]);
  });
});

describe("how wide an image is shown", () => {
  const square = { width: 1_000, height: 1_000 };
  it("is the width of the text for one", () => {
    expect(getSizes(square, 1, 0, "card")).toBe(
      "(min-width: 640px) 522px, calc((100vw - 88px) * 1)",
    );
    expect(getSizes({ width: 400, height: 2_000 }, 1, 0, "thread")).toBe(
      "(min-width: 640px) 578px, calc((100vw - 32px) * 1)",
    );
  });
  it("is half of it for several", () => {
    expect(getSizes({ width: 300, height: 400 }, 4, 1, "card")).toBe(
      "(min-width: 640px) 261px, calc((100vw - 88px) * 0.5)",
    );
  });
  it("is larger if a wide image fills a tall cell, or a flat one", () => {
    expect(getSizes({ width: 3_000, height: 2_000 }, 3, 0, "card")).toBe(
      "(min-width: 640px) 490px, calc((100vw - 88px) * 0.94)",
    );
    expect(getSizes({ width: 8_000, height: 1_000 }, 1, 0, "nested")).toBe(
      "(min-width: 640px) 972px, calc((100vw - 104px) * 2)",
    );
  });
});
