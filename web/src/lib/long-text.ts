/** Letters that the narrowest line has room for: wide ones, in a reply on a small phone. */
const NARROWEST = 12;
const LINES = 12;

/** Whether a text could take more than 12 lines, so that it is worth measuring. */
export function mayBeLong(text: string): boolean {
  return text.split("\n").length + text.length / NARROWEST > LINES;
}
