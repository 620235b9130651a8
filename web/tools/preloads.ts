import type { Plugin } from "vite";
import { type Script, scriptsOf } from "./size-budget.ts";

const TAG = '<script src="/start.js"';

/** The modules that a page starts with, by the first segment of its path. */
export type InitialModules = Readonly<Record<string, readonly string[]>>;

/**
 * Writes the scripts of each path segment into attributes of the `start.js` tag, without those that the page's
 * HTML names already.
 */
export function withPreloads(
  html: string,
  scripts: readonly Script[],
  modules: InitialModules,
): string {
  if (!html.includes(TAG)) throw new Error("The page has no script to write preloads into.");
  const attributes = Object.entries(modules).map(([segment, starts]) => {
    const names = [...scriptsOf(scripts, starts)].map(({ fileName }) => fileName);
    return ` data-${segment}="${names.filter((name) => !html.includes(name)).join(" ")}"`;
  });
  return html.replace(TAG, TAG + attributes.join(""));
}

/**
 * Lists each page's scripts in the HTML, so that `start.js` preloads them before the first paint. Otherwise the
 * browser would find them only after it has run the first script, a round trip later.
 */
export function preloads(modules: InitialModules): Plugin {
  return {
    name: "preloads",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const scripts = Object.values(bundle ?? {}).filter((file) => file.type === "chunk");
        return withPreloads(html, scripts, modules);
      },
    },
  };
}
