/** The share of votes in whole percent. */
export function share(tally: number, total: number): number {
  return total === 0 ? 0 : Math.round((tally / total) * 100);
}
