import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { compile, optimize } from "@tailwindcss/node";
import type { Plugin } from "vite";

const STYLES = fileURLToPath(new URL("../src/styles", import.meta.url));
const FONTS = '@import "./fonts.css";';
const ROOT = '<div id="root"></div>';
const SCRIPT = '<script src="/start.js"';
/** Attributes for interaction and accessibility, which are removed because the page is inert. */
const INTERACTIVE_ATTRIBUTES =
  / (?:id|href|role|title|tabindex|aria-(?:label|labelledby|controls|describedby))="[^"]*"/g;

/** The prerendered texts are in English, and transparent in other languages until the app renders. */
const HIDDEN_TEXTS = "[html:not([lang=en])_&]:**:text-transparent!";

/** HTML of the pages by the value of `data-first`, which `start.js` sets. */
type Pages = Readonly<Record<string, string>>;

/** The pages at widths from `from` rem up to the next one. */
interface Range {
  from: number;
  pages: Pages;
}

/**
 * Renders the pages once for each range of widths between the app's `min-width` queries. A worker thread
 * isolates the globals and timers.
 */
async function renderRanges(): Promise<Range[]> {
  const worker = new Worker(new URL("first-screen-worker.mjs", import.meta.url));
  try {
    const [ranges] = (await once(worker, "message")) as [Range[]];
    return ranges;
  } finally {
    await worker.terminate();
  }
}

/** Returns the HTML that is shown before the app renders: inert and hidden from screen readers. */
export function firstScreen(ranges: readonly Range[]): string {
  const [narrow] = ranges;
  if (!narrow) throw new Error("The narrowest range of widths is missing.");
  const parts = Object.keys(narrow.pages).map((name) => {
    const shown =
      name === "other" ? "[[data-first]_&]:hidden" : `hidden [[data-first=${name}]_&]:block`;
    return `<div class="${shown}">${atAllWidths(ranges, name)}</div>`;
  });
  const html =
    '<p role="status" class="sr-only noscript:hidden">Loading...</p>' +
    `<div inert aria-hidden="true" class="noscript:hidden ${HIDDEN_TEXTS}">${parts.join("")}</div>`;
  if (/<[^>]+ style=/.test(html)) throw new Error("The policy forbids inline styles.");
  return html;
}

function atAllWidths(ranges: readonly Range[], name: string): string {
  const shown = ranges.map(({ from, pages }) => ({
    from,
    page: (pages[name] ?? "").replaceAll(INTERACTIVE_ATTRIBUTES, "").replaceAll("@<", "<"),
  }));
  const changes = shown.filter(({ page }, index) => page !== shown[index - 1]?.page);
  if (changes.length === 1) return changes[0]?.page ?? "";
  return changes
    .map(({ from, page }, index) => {
      const to = changes[index + 1]?.from;
      const bounds = [from > 0 && `max-[${from}rem]:hidden`, to && `min-[${to}rem]:hidden`];
      return `<div class="${bounds.filter(Boolean).join(" ")}">${page}</div>`;
    })
    .join("");
}

function decode(attribute: string): string {
  return attribute.replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

/** Compiles the styles of the classes in some HTML, without fonts. */
async function compileStyles(html: string): Promise<string> {
  const source = await readFile(`${STYLES}/main.css`, "utf8");
  if (!source.includes(FONTS)) throw new Error("main.css imports the fonts in another way.");
  const compiler = await compile(source.replace(FONTS, ""), { base: STYLES, onDependency() {} });
  const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) =>
    decode(names ?? "").split(" "),
  );
  return optimize(compiler.build([...new Set(classes)]), { minify: true }).code;
}

/** Inserts the first screen and its styles into a built page, and moves the other styles behind it. */
export function withFirstScreen(
  page: string,
  first: { html: string; styles: string; font: string },
): string {
  const rest = /\s*<link rel="stylesheet"[^>]*>/.exec(page)?.[0];
  if (!rest || !page.includes(ROOT) || !page.includes(SCRIPT)) {
    throw new Error("The page has no place for the first screen.");
  }
  return page
    .replace(rest, "")
    .replace(
      SCRIPT,
      `<link rel="stylesheet" href="/${first.styles}" />\n    ${SCRIPT} data-font="${first.font}"`,
    )
    .replace(ROOT, () => `<div id="root">${first.html}</div>${rest}`);
}

/**
 * Prerenders the first screen into the page: the app's bars and skeletons, with only their styles. The other
 * styles follow after it, where they do not block rendering.
 */
export function firstScreenPlugin(): Plugin {
  let first: Parameters<typeof withFirstScreen>[1] | undefined;
  return {
    name: "first-screen",
    apply: "build",
    generateBundle: {
      order: "pre",
      async handler(_, bundle) {
        const html = firstScreen(await renderRanges());
        const files = Object.values(bundle);
        const sheet = files.find(({ fileName }) => fileName.endsWith(".css"));
        const font = files.find(({ fileName }) =>
          /figtree-latin-wght-normal.*\.woff2$/.test(fileName),
        );
        if (sheet?.type !== "asset" || !font)
          throw new Error("The build has no styles or no font.");
        const faces = String(sheet.source).match(/@font-face\s*\{[^}]*\}/g) ?? [];
        const source = faces.join("") + (await compileStyles(html));
        const styles = this.getFileName(
          this.emitFile({ type: "asset", name: "first.css", source }),
        );
        first = { html, styles, font: font.fileName };
      },
    },
    transformIndexHtml: {
      order: "post",
      handler: (page) => first && withFirstScreen(page, first),
    },
  };
}
