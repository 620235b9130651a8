import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes";

test("sizes are short", () => {
  const sizes = [0, 12, 999, 1_000, 9_940, 9_960, 123_456, 999_600, 3_400_000, 2e9, 5e12];
  expect(sizes.map(formatBytes)).toEqual([
    "0 bytes",
    "12 bytes",
    "999 bytes",
    "1.0 KB",
    "9.9 KB",
    "10 KB",
    "123 KB",
    "1.0 MB",
    "3.4 MB",
    "2.0 GB",
    "5000 GB",
  ]);
});
