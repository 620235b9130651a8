/** Where a post stands, which says how wide its images are. */
export type PostPlace = "card" | "nested" | "thread";

interface Measures {
  width: number;
  height: number;
}

/** A single image is never taller than this, width to height. */
const TALLEST = 4 / 5;
/** Nor flatter, or it would be a line. */
const FLATTEST = 4;
/** Width to height of several images together. */
export const GROUP_SHAPE = 16 / 10;

// The column of posts is 620 px wide where there is room; below, it is as wide as the screen.
const room: Record<PostPlace, { wide: number; gutter: number }> = {
  card: { wide: 522, gutter: 88 },
  nested: { wide: 486, gutter: 104 },
  thread: { wide: 578, gutter: 32 },
};

/** Width to height of the place of a single image. */
export function shapeOf({ width, height }: Measures): number {
  return Math.min(FLATTEST, Math.max(TALLEST, width / height));
}

/** Whether the image at `index` of `count` is as tall as the whole group. */
export function isTall(count: number, index: number): boolean {
  return count === 2 || (count === 3 && index === 0);
}

/**
 * How wide an image is shown, as the HTML attribute. One that is cut to its place is wider than the
 * place if it has to be as tall.
 */
export function sizesOf(image: Measures, count: number, index: number, place: PostPlace): string {
  const ratio = image.width / image.height;
  const across = count === 1 ? 1 : 0.5;
  const down = count === 1 ? 1 / shapeOf(image) : (isTall(count, index) ? 1 : 0.5) / GROUP_SHAPE;
  const share = Math.max(across, down * ratio);
  const rounded = Math.round(share * 100) / 100;
  const { wide, gutter } = room[place];
  const narrow = `calc((100vw - ${gutter}px) * ${rounded})`;
  return `(min-width: 640px) ${Math.ceil(wide * share)}px, ${narrow}`;
}
