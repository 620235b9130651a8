import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** A font size, line height, letter spacing or colour that is written out instead of named in the theme. */
const ARBITRARY_VALUE =
  /(?:\b(?:text|leading|tracking)-\[|-\[(?:#|rgb|hsl|lab|lch|oklab|oklch|color|linear-gradient|Highlight|GrayText))[^\s"'`]*/g;

const source = fileURLToPath(new URL("../src", import.meta.url));

test("class names use the sizes and colours of the theme", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(`${source}/${file}`, "utf8").matchAll(ARBITRARY_VALUE)].map(
        ([value]) => `${file}: ${value}`,
      ),
    );
  expect(found).toEqual([]);
});
