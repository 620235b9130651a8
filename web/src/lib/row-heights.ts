const heights = new Map<string, number>();

/** How high a row of a list was when it was last laid out, in pixels. */
export function heightOf(id: string): number | undefined {
  return heights.get(id);
}

/** Keeps the height of a row, in pixels; one without a height is not on the page. */
export function rememberHeight(id: string, height: number): void {
  if (height > 0) heights.set(id, height);
}

/** Forgets every row, as the session ends. */
export function forgetHeights(): void {
  heights.clear();
}
