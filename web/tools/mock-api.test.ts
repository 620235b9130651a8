import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { mockApi, withMockEntry } from "./mock-api.ts";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");

it("the mock's entry takes the place of the app's in the page", () => {
  const page = withMockEntry(read("index.html"));
  const entries = [...page.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, path]) => path);
  expect(entries).toEqual(["/src/test/mock-api/dev-entry.ts"]);
  expect(read(`.${entries[0]}`)).toContain("@/app/main");
});

it("a page without the app's entry is an error", () => {
  expect(() => withMockEntry("<html></html>")).toThrow("no entry");
});

it("no build contains the mock", () => {
  expect(mockApi().apply).toBe("serve");
});
