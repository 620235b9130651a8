import { describe, expect, it } from "vitest";
import { type Crop, cropOf, MAX_ZOOM, moved, type View, WHOLE, zoomed } from "./crop";

const wide = { picture: 2, frame: 1 };
const tall = { picture: 0.5, frame: 3 };

function expectCrop(found: Crop, x: number, y: number, width: number, height: number) {
  for (const [name, value] of Object.entries({ x, y, width, height })) {
    expect(found[name as keyof Crop], name).toBeCloseTo(value);
  }
}

describe("the part that is seen", () => {
  it("is the largest in the middle at first", () => {
    expectCrop(cropOf(WHOLE, wide), 0.25, 0, 0.5, 1);
    expectCrop(cropOf(WHOLE, tall), 0, 5 / 12, 1, 1 / 6);
    expectCrop(cropOf(WHOLE, { picture: 3, frame: 3 }), 0, 0, 1, 1);
  });
  it("has the frame's shape however closely one looks", () => {
    for (const zoom of [1, 1.7, MAX_ZOOM]) {
      for (const shapes of [wide, tall]) {
        const { width, height } = cropOf({ x: 0.3, y: 0.9, zoom }, shapes);
        expect((width / height) * shapes.picture).toBeCloseTo(shapes.frame);
      }
    }
  });
});

describe("moving the picture", () => {
  it("shows what is beside", () => {
    expectCrop(cropOf(moved(WHOLE, 0.25, 0, wide), wide), 0.125, 0, 0.5, 1);
    expectCrop(cropOf(moved(WHOLE, -0.25, 0, wide), wide), 0.375, 0, 0.5, 1);
  });
  it("ends at its edge, and comes back from there at once", () => {
    const edge = moved(WHOLE, 9, 9, wide);
    expectCrop(cropOf(edge, wide), 0, 0, 0.5, 1);
    expectCrop(cropOf(moved(edge, -0.1, 0, wide), wide), 0.05, 0, 0.5, 1);
  });
});

describe("zooming", () => {
  it("keeps the middle", () => {
    expectCrop(cropOf(zoomed(WHOLE, 2, wide), wide), 0.375, 0.25, 0.25, 0.5);
  });
  it("keeps the point that is pointed at", () => {
    const at = { x: 0.2, y: 0.9 };
    const point = (view: View) => {
      const crop = cropOf(view, wide);
      return [crop.x + crop.width * at.x, crop.y + crop.height * at.y];
    };
    const close = zoomed(WHOLE, 3, wide, at);
    expect(point(close)[0]).toBeCloseTo(point(WHOLE)[0] ?? 0);
    expect(point(close)[1]).toBeCloseTo(point(WHOLE)[1] ?? 0);
  });
  it("has bounds, and never leaves the picture", () => {
    expect(zoomed(WHOLE, 99, wide).zoom).toBe(MAX_ZOOM);
    const corner = moved(zoomed(WHOLE, 4, wide), 9, 9, wide);
    expectCrop(cropOf(zoomed(corner, 0.1, wide), wide), 0, 0, 0.5, 1);
  });
});

it("any view makes a crop inside of the picture", () => {
  for (let round = 0; round < 500; round += 1) {
    const shapes = { picture: 0.1 + (round % 37) / 4, frame: round % 2 ? 1 : 3 };
    let view = zoomed(WHOLE, 1 + (round % 11) / 2, shapes, { x: (round % 7) / 6, y: 0.3 });
    view = moved(view, Math.sin(round) * 2, Math.cos(round) * 2, shapes);
    const { x, y, width, height } = cropOf(view, shapes);
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(Math.min(width, height)).toBeGreaterThan(0);
    // The server bears as much.
    expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1 + 1e-9);
  }
});
