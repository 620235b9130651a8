import { type ImageFile, paintPng } from "../image-files";

type Colour = readonly [red: number, green: number, blue: number];

interface Palette {
  high: Colour;
  low: Colour;
  sun: Colour;
  /** From the farthest hills to the nearest. */
  hills: readonly Colour[];
}

const palettes: readonly Palette[] = [
  {
    high: [92, 128, 168],
    low: [250, 214, 170],
    sun: [255, 241, 214],
    hills: [
      [158, 150, 168],
      [104, 108, 132],
      [54, 64, 84],
      [28, 34, 48],
    ],
  },
  {
    high: [58, 44, 92],
    low: [244, 132, 92],
    sun: [255, 208, 128],
    hills: [
      [150, 74, 96],
      [98, 50, 84],
      [58, 34, 66],
      [30, 20, 42],
    ],
  },
  {
    high: [122, 184, 204],
    low: [232, 240, 222],
    sun: [255, 252, 232],
    hills: [
      [140, 178, 150],
      [92, 142, 104],
      [58, 104, 72],
      [34, 66, 48],
    ],
  },
  {
    high: [40, 62, 92],
    low: [168, 196, 208],
    sun: [244, 244, 236],
    hills: [
      [120, 150, 168],
      [78, 108, 132],
      [46, 72, 96],
      [22, 38, 56],
    ],
  },
];

/** Paints hills below a sky, which differ by number. */
export function landscape(number: number, width: number, height: number): ImageFile {
  const palette = palettes[number % palettes.length];
  if (!palette) throw new Error("There are no colours.");
  const sun = { x: width * (0.25 + 0.13 * (number % 5)), y: height * 0.36, size: height * 0.09 };
  return paintPng(`landscape-${number}.png`, width, height, (x, y) => {
    const hill = palette.hills.findLastIndex((_, at) => y > ridge(number, at, x / width) * height);
    const colour = palette.hills[hill];
    if (colour) return colour;
    if (Math.hypot(x - sun.x, y - sun.y) < sun.size) return palette.sun;
    return between(palette.high, palette.low, Math.min(1, y / (height * 0.7)));
  });
}

/** The height of a row of hills at `x`, as fractions of the image measured from the top and the left. */
function ridge(number: number, row: number, x: number): number {
  const phase = number * 1.7 + row * 2.3;
  const swell = Math.sin(x * (4 + row) + phase) * 0.07;
  const rough = Math.sin(x * 17 + phase * 3) * 0.015 + Math.sin(x * 41 + phase) * 0.006;
  return 0.48 + row * 0.14 + swell + rough;
}

function between(from: Colour, to: Colour, part: number): Colour {
  const mix = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * part);
  return [mix(0), mix(1), mix(2)];
}
