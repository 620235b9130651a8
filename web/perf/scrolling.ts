import type { Page } from "@playwright/test";

/** Frame times of a scrolling page. */
export interface Frames {
  count: number;
  /** The share of frames, 0 to 1, that took longer than one frame of a 60 Hz screen. */
  over16: number;
  /** The share of frames that took longer than two of its frames. */
  over33: number;
  /** The longest frame, in milliseconds. */
  longest: number;
}

/**
 * Scrolls a page by `step` pixels per frame for `seconds`, and reverses the direction at its ends. A frame
 * counts as late if it takes over a millisecond longer than the screen's frame, since the clock's resolution is
 * a millisecond.
 */
export async function scroll(page: Page, step: number, seconds: number): Promise<Frames> {
  const times = await page.evaluate(
    async ([by, milliseconds]) => {
      const deltas: number[] = [];
      let direction = 1;
      let last = await new Promise(requestAnimationFrame);
      const end = last + milliseconds;
      while (last < end) {
        const before = scrollY;
        scrollBy(0, by * direction);
        if (scrollY === before) direction = -direction;
        const now = await new Promise(requestAnimationFrame);
        deltas.push(now - last);
        last = now;
      }
      return deltas;
    },
    [step, seconds * 1_000] as const,
  );
  const shareOver = (limit: number) =>
    times.filter((time) => time > limit + 1).length / times.length;
  return {
    count: times.length,
    over16: shareOver(16.7),
    over33: shareOver(33.3),
    longest: Math.max(...times),
  };
}
