const heights = new Map<string, number>();

/** How high a part of a list was when it was last laid out, in pixels. */
export function heightOf(id: string): number | undefined {
  return heights.get(id);
}

/** Keeps the height of a part, in pixels. */
export function rememberHeight(id: string, height: number): void {
  heights.set(id, height);
}

/** Forgets every part. */
export function forgetHeights(): void {
  heights.clear();
}
