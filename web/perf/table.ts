/** Prints rows under their headings as a Markdown table. */
export function printTable(headings: readonly string[], rows: readonly string[][]): void {
  const lines = [headings, headings.map(() => "---"), ...rows];
  console.log(`\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
}

/** Median of numbers; of an even count, the upper of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
