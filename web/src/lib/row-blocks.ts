/** Rows that a block has at most. */
const MOST = 10;

/**
 * Cuts a list of ids into blocks of about five. Where a block starts depends on the id there, not on
 * its place, so that one id more or less leaves all other blocks as they are.
 */
export function blocksOf(ids: readonly string[]): string[][] {
  const blocks: string[][] = [];
  for (const id of ids) {
    const block = blocks.at(-1);
    if (!block || block.length === MOST || Number(id.at(-1)) % 5 === 0) blocks.push([id]);
    else block.push(id);
  }
  return blocks;
}
