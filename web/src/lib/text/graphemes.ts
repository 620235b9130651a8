import { lazy } from "@/lib/state/lazy";

const segmenter = lazy(() => new Intl.Segmenter("en", { granularity: "grapheme" }));
const ASCII_TEXT = /^[\x20-\x7e\n]*$/;
/** Two Latin letters or signs in a row: nothing that follows can belong to the first. */
const SINGLE_CHARACTER_START = /^[\x20-\x7e\u00c0-\u024f](?:[\x20-\x7e\u00c0-\u024f]|$)/;

/**
 * How many characters a reader sees in `text`: a family emoji or an accented letter counts as
 * one. The server counts the same way, so a post that fits here also fits there.
 */
export function countGraphemes(text: string): number {
  if (ASCII_TEXT.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter().segment(text)) count += 1;
  return count;
}

/** The first character a reader sees in `text`, or an empty string. */
export function firstGrapheme(text: string): string {
  if (SINGLE_CHARACTER_START.test(text)) return text.slice(0, 1);
  for (const { segment } of segmenter().segment(text)) return segment;
  return "";
}
