import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** A font size, line height, letter spacing or colour with a literal value instead of a name of the theme. */
const ARBITRARY_VALUE =
  /(?:\b(?:text|leading|tracking)-\[|-\[(?:#|rgb|hsl|lab|lch|oklab|oklch|color|linear-gradient|Highlight|GrayText))[^\s"'`]*/g;

/** A physical side (left, right) instead of a logical one (start, end). */
const PHYSICAL_SIDE =
  /(?<=["'`\s:])-?(?:[mp][lr]-[\d[a]|(?:left|right)-(?:[\d[]|full|auto|px)|text-(?:left|right)\b|(?:border|rounded)-[lr]\b)[^\s"'`]*/g;

const source = fileURLToPath(new URL("../src", import.meta.url));

/** Finds matches in the source files, with the file's name. */
function findClassNames(pattern: RegExp): string[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(`${source}/${file}`, "utf8").matchAll(pattern)].map(
        ([value]) => `${file}: ${value}`,
      ),
    );
}

test("class names use the sizes and colours of the theme", () => {
  expect(findClassNames(ARBITRARY_VALUE)).toEqual([]);
});

test("class names use logical sides", () => {
  // A truncated text has its own direction, and is aligned like its surroundings.
  expect(findClassNames(PHYSICAL_SIDE).toSorted()).toEqual([
    "features/users/user-list-item.tsx: text-left",
    "features/users/user-list-item.tsx: text-right",
  ]);
});
