import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import { runnerImport } from "vite";

const bounds = new Set();
let width = 0;

/** Records the app's `min-width` bounds; queries without a width do not match. */
function matchMedia(query) {
  const bound = Number(/^\(min-width: ([\d.]+)rem\)$/.exec(query)?.[1]);
  if (bound) bounds.add(bound);
  return { matches: width >= bound };
}

// The globals that the app reads while it is loaded and rendered.
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
// Set after loading: with `history` the router's module would expect a complete browser.
Object.assign(globalThis, { history: { state: null }, scrollY: 0 });

const ranges = [{ from: 0, pages: module.renderPages() }];
// Components of wider screens may query further bounds, which are appended to the set during the loop.
for (const bound of bounds) {
  width = Number.MAX_SAFE_INTEGER;
  module.renderPages();
  width = bound;
  ranges.push({ from: bound, pages: module.renderPages() });
}
const inOrder = ranges.toSorted((one, other) => one.from - other.from);
parentPort?.postMessage(inOrder, []);
