/** The pixels of a preview, row by row, four bytes each. */
export interface Preview {
  width: number;
  height: number;
  pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** One wave of a channel: how often it turns across and down, and how strong it is. */
type Wave = readonly [across: number, down: number, strength: number];

interface Channel {
  mean: number;
  waves: readonly Wave[];
}

const LONG_SIDE = 32;
const COLOUR_BOOST = 1.25;

/**
 * Draws the blurred preview that a thumbhash (base64) holds, for an image of these measures: the
 * lightness, two opponent colours and perhaps the opacity, each as a few cosines. Nothing when
 * the text is none.
 */
export function drawThumbhash(text: string, width: number, height: number): Preview | null {
  const hash = bytesOf(text);
  if (!hash || hash.length < 5) return null;
  const scale = LONG_SIDE / Math.max(width, height, 1);
  const size = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  return paint(channelsOf(hash), size[0] ?? 1, size[1] ?? 1);
}

function bytesOf(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Reads lightness, yellow against blue, red against green, and opacity. */
function channelsOf(hash: Uint8Array): Channel[] {
  const read = (from: number, bits: number) => {
    let value = 0;
    for (let at = bits - 1; at >= 0; at -= 1) {
      const bit = from + at;
      value = value * 2 + (((hash[bit >> 3] ?? 0) >> (bit & 7)) & 1);
    }
    return value;
  };
  const isWide = read(39, 1) === 1;
  const hasAlpha = read(23, 1) === 1;
  const [most, fewer] = [hasAlpha ? 5 : 7, Math.max(3, read(24, 3))];
  let next = hasAlpha ? 48 : 40;

  function channel(mean: number, strength: number, across: number, down: number): Channel {
    const waves: Wave[] = [];
    for (let y = 0; y < down; y += 1) {
      for (let x = y === 0 ? 1 : 0; x * down < across * (down - y); x += 1) {
        waves.push([x, y, (read(next, 4) / 7.5 - 1) * strength]);
        next += 4;
      }
    }
    return { mean, waves };
  }
  const colour = (mean: number, strength: number) =>
    channel(mean / 31.5 - 1, (strength / 63) * COLOUR_BOOST, 3, 3);
  const light = channel(
    read(0, 6) / 63,
    read(18, 5) / 31,
    isWide ? most : fewer,
    isWide ? fewer : most,
  );
  const channels = [light, colour(read(6, 6), read(27, 6)), colour(read(12, 6), read(33, 6))];
  if (hasAlpha) channels.push(channel(read(40, 4) / 15, read(44, 4) / 15, 5, 5));
  return channels;
}

function paint(channels: readonly Channel[], width: number, height: number): Preview {
  const pixels = new Uint8ClampedArray(width * height * 4);
  const columns = Array.from({ length: width }, (_, x) => turnsAt(x, width));
  for (let y = 0; y < height; y += 1) {
    const row = turnsAt(y, height);
    for (const [x, column] of columns.entries()) {
      const [light = 0, yellow = 0, red = 0, alpha = 1] = channels.map(({ mean, waves }) => {
        let value = mean;
        for (const [across, down, strength] of waves) {
          value += 2 * strength * (column[across] ?? 0) * (row[down] ?? 0);
        }
        return value;
      });
      const blue = light - (2 / 3) * yellow;
      const redness = (3 * light - blue + red) / 2;
      pixels.set(
        [redness * 255, (redness - red) * 255, blue * 255, alpha * 255],
        (y * width + x) * 4,
      );
    }
  }
  return { width, height, pixels };
}

/** How high each wave along a side stands at a pixel of it. */
function turnsAt(pixel: number, side: number): number[] {
  const angle = (Math.PI / side) * (pixel + 0.5);
  return Array.from({ length: 8 }, (_, times) => Math.cos(angle * times));
}
