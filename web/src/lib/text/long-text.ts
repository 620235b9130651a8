/** Letters that the narrowest line has room for: wide ones, in a reply on a small phone. */
const MIN_CHARACTERS_PER_LINE = 12;
const MAX_LINES = 12;

/** Whether a text could take more than 12 lines, so that it is worth measuring. */
export function mayNeedClamping(text: string): boolean {
  return text.split("\n").length + text.length / MIN_CHARACTERS_PER_LINE > MAX_LINES;
}
