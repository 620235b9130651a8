/** Rows that a block has at most. */
const MAX_CHUNK_SIZE = 10;

/**
 * Cuts a list of ids into blocks of about five. Where a block starts depends on the id there, not on
 * its place, so that one id more or less leaves all other blocks as they are.
 */
export function chunkIds(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (const id of ids) {
    const chunk = chunks.at(-1);
    if (!chunk || chunk.length === MAX_CHUNK_SIZE || Number(id.at(-1)) % 5 === 0) chunks.push([id]);
    else chunk.push(id);
  }
  return chunks;
}
