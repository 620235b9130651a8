import type { Plugin } from "vite";
import { type Script, scriptsOf } from "./size-budget.ts";

const TAG = '<script src="/start.js"';

/** The modules each place begins with. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** A page with the scripts of each place, less those it loads anyway, as attributes of `start.js`. */
export function withPreloads(html: string, scripts: readonly Script[], places: Places): string {
  if (!html.includes(TAG)) throw new Error("The page has no script to write preloads into.");
  const attributes = Object.entries(places).map(([place, starts]) => {
    const names = [...scriptsOf(scripts, starts)].map(({ fileName }) => fileName);
    return ` data-${place}="${names.filter((name) => !html.includes(name)).join(" ")}"`;
  });
  return html.replace(TAG, TAG + attributes.join(""));
}

/**
 * Tells the script that runs before the first paint which scripts each place needs. The browser
 * would learn it only after having run the first one, a round trip later.
 */
export function preloads(places: Places): Plugin {
  return {
    name: "preloads",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const scripts = Object.values(bundle ?? {}).filter((file) => file.type === "chunk");
        return withPreloads(html, scripts, places);
      },
    },
  };
}
