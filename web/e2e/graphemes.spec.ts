import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "./test";

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The app's function for counting, as a script that evaluates to it. */
async function countingCode(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      lib: {
        entry: resolvePath("../src/lib/text/graphemes.ts"),
        formats: ["iife"],
        name: "counting",
      },
    },
  });
  const [bundle] = [built].flat();
  const file = bundle && "output" in bundle ? bundle.output[0] : undefined;
  if (!file) throw new Error("Nothing was built.");
  return `(() => { ${file.code}; return counting.countGraphemes; })()`;
}

// Tests the segmenter of the browser, which differs from the one of Node.
// proves: post-web-same
test("the browser counts graphemes by the rules of UAX #29", async ({ page }) => {
  const file = await readFile(resolvePath("../../testdata/graphemes.json"), "utf8");
  const { vectors } = JSON.parse(file) as { vectors: [text: string, count: number][] };
  expect(vectors.length).toBe(10_000);
  const count = await page.evaluateHandle<(text: string) => number>(await countingCode());
  const wrong = await page.evaluate(
    ([counted, all]) => all.filter(([text, expected]) => counted(text) !== expected),
    [count, vectors] as const,
  );
  expect(wrong).toEqual([]);
});
