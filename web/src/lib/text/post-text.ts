import { countGraphemes } from "./graphemes";

/** Most characters (grapheme clusters) a post may have. */
export const MAX_POST_LENGTH = 500;
const MAX_POST_BYTES = 5_000;

// Control characters other than line feed and tab, and marks that turn the text's direction around.
const REMOVED_CHARACTERS =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g;
// Invisible characters only: white space, Unicode's default ignorable code points, and blank glyphs (Braille
// without dots, a musical note without a head, the Khitan filler).
const BLANK_TEXT = /^(?:[\s\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|\u{16fe4})*$/u;

/**
 * The text as the server will save it: line ends unified and never more than two in a row, no
 * control characters, canonical form.
 */
export function normalizePost(text: string): string {
  // Removed first, because the characters around may then compose.
  const cleaned = text.replace(/\r\n?/g, "\n").replace(REMOVED_CHARACTERS, "");
  return cleaned
    .normalize("NFC")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Whether nothing in `text` can be seen. */
export function isBlank(text: string): boolean {
  return BLANK_TEXT.test(normalizePost(text));
}

/** The length of a post as the member sees it, in grapheme clusters. */
export function postLength(text: string): number {
  return countGraphemes(normalizePost(text));
}

/** Whether `text` has few enough characters, but too many bytes for the server. */
export function isTooLarge(text: string): boolean {
  const { length } = new TextEncoder().encode(normalizePost(text));
  return length > MAX_POST_BYTES && postLength(text) <= MAX_POST_LENGTH;
}

/** Whether `text` may be posted: not blank, and within both limits. */
export function isValidPostText(text: string): boolean {
  return !isBlank(text) && postLength(text) <= MAX_POST_LENGTH && !isTooLarge(text);
}
