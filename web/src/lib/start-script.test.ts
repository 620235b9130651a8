import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";

const script = readFileSync(
  fileURLToPath(new URL("../../public/start.js", import.meta.url)),
  "utf8",
);

/** Runs `start.js` in a page with this site identity, for a browser in French. */
function start(identity: object | null, stored: Record<string, string> = {}) {
  const sheets: string[] = [];
  const page = { classList: { toggle() {} }, dataset: {} as Record<string, string>, lang: "" };
  const document = {
    querySelector: () => identity && { textContent: JSON.stringify(identity) },
    documentElement: page,
    currentScript: { dataset: {} },
    adoptedStyleSheets: [],
  };
  runInNewContext(script, {
    document,
    performance: { now: () => 0, getEntriesByType: () => [] },
    location: { pathname: "/", search: "" },
    matchMedia: () => ({ matches: false }),
    navigator: { languages: ["fr"] },
    localStorage: { getItem: (name: string) => stored[name] ?? null },
    fetch: () => Promise.resolve(new Response()),
    CSSStyleSheet: class {
      replaceSync(css: string) {
        sheets.push(css);
      }
    },
  });
  return { sheets, page };
}

const kept = { "kith:accent": JSON.stringify({ color: "#0e7c86", css: ":root{}" }) };

// proves: identity-first-screen
it("shows the accent of the last visit, unless the network has another one now", () => {
  expect(start({ accentColor: "#0e7c86" }, kept).sheets).toEqual([":root{}"]);
  expect(start({ accentColor: "#0050ff" }, kept).sheets).toEqual([]);
  expect(start({ accentColor: null }, kept).sheets).toEqual([]);
  expect(start(null, kept).sheets).toEqual([]);
});

// proves: identity-first-screen
it("hides the built-in name where the network has another one", () => {
  expect(start({ name: "Lakeside" }).page.dataset).toHaveProperty("renamed");
  expect(start({ name: "Kith" }).page.dataset).not.toHaveProperty("renamed");
  expect(start(null).page.dataset).not.toHaveProperty("renamed");
});

// proves: identity-language
it("uses the network's language if the browser has no supported one", () => {
  expect(start({ defaultLanguage: "de" }).page.lang).toBe("de");
  expect(start({ defaultLanguage: "de" }, { "kith:locale": "en" }).page.lang).toBe("en");
  expect(start(null).page.lang).toBe("en");
});
