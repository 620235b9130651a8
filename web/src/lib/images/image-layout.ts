/** The kind of view that shows a post, which determines the width of its images. */
export type PostVariant = "card" | "nested" | "thread";

interface ImageDimensions {
  width: number;
  height: number;
}

/** A single image is never taller than this, width to height. */
const MIN_ASPECT_RATIO = 4 / 5;
/** Nor flatter, or it would be a line. */
const MAX_ASPECT_RATIO = 4;
/** Width to height of several images together. */
export const GRID_ASPECT_RATIO = 16 / 10;

// The column of posts is 620 px wide where there is room; below, it is as wide as the screen.
const columnWidths: Record<PostVariant, { wide: number; gutter: number }> = {
  card: { wide: 522, gutter: 88 },
  nested: { wide: 486, gutter: 104 },
  thread: { wide: 578, gutter: 32 },
};

/** Width to height of the place of a single image. */
export function clampAspectRatio({ width, height }: ImageDimensions): number {
  return Math.min(MAX_ASPECT_RATIO, Math.max(MIN_ASPECT_RATIO, width / height));
}

/** Whether the image at `index` of `count` is as tall as the whole group. */
export function spansTwoRows(count: number, index: number): boolean {
  return count === 2 || (count === 3 && index === 0);
}

/**
 * How wide an image is shown, as the HTML attribute. One that is cut to its place is wider than the
 * place if it has to be as tall.
 */
export function getSizes(
  image: ImageDimensions,
  count: number,
  index: number,
  variant: PostVariant,
): string {
  const ratio = image.width / image.height;
  const widthShare = count === 1 ? 1 : 0.5;
  const heightShare =
    count === 1
      ? 1 / clampAspectRatio(image)
      : (spansTwoRows(count, index) ? 1 : 0.5) / GRID_ASPECT_RATIO;
  const share = Math.max(widthShare, heightShare * ratio);
  const rounded = Math.round(share * 100) / 100;
  const { wide, gutter } = columnWidths[variant];
  const narrow = `calc((100vw - ${gutter}px) * ${rounded})`;
  return `(min-width: 640px) ${Math.ceil(wide * share)}px, ${narrow}`;
}
