import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import { runnerImport } from "vite";

const bounds = new Set();
let width = 0;

/** Notes which widths the app tells apart; all that is not about widths is false. */
function matchMedia(query) {
  const bound = Number(/^\(min-width: ([\d.]+)rem\)$/.exec(query)?.[1]);
  if (bound) bounds.add(bound);
  return { matches: width >= bound };
}

// What the app reads of a browser while it is loaded and rendered.
const browser = { matchMedia, location: { pathname: "/", search: "" }, addEventListener() {} };
Object.assign(globalThis, browser);
const path = fileURLToPath(new URL("first-screen-pages.tsx", import.meta.url));
const alias = { "@": fileURLToPath(new URL("../src", import.meta.url)) };
const plugin = fileURLToPath(new URL("messages.ts", import.meta.url));
const { module: tools } = await runnerImport(plugin, { configFile: false });
const { module } = await runnerImport(path, {
  configFile: false,
  resolve: { alias },
  plugins: [tools.messages()],
});
// Not before: the router would take it for a whole browser when it is loaded.
Object.assign(globalThis, { history: { state: null }, scrollY: 0 });

const ranges = [{ from: 0, pages: module.renderPages() }];
// What is shown on a wider screen only may tell more widths apart, which the loop then comes to.
for (const bound of bounds) {
  width = Number.MAX_SAFE_INTEGER;
  module.renderPages();
  width = bound;
  ranges.push({ from: bound, pages: module.renderPages() });
}
const inOrder = ranges.toSorted((one, other) => one.from - other.from);
parentPort?.postMessage(inOrder, []);
