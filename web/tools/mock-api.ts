import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "vite";

const WORKER_URL = "/mockServiceWorker.js";
const START_SCRIPT = '<script src="/start.js"></script>';
const ENTRY = "/src/app/main.tsx";
const MOCK_ENTRY = "/src/test/mock-api/dev-entry.ts";

/** Replaces the entry of a page, and drops `start.js`, which would send requests before the mock has started. */
export function withMockEntry(html: string): string {
  if (!html.includes(START_SCRIPT) || !html.includes(ENTRY)) {
    throw new Error("The page has no entry to mock the API for.");
  }
  return html.replace(START_SCRIPT, "").replace(ENTRY, MOCK_ENTRY);
}

/**
 * Serves the service worker of the mocked API, to component tests and to `vite --mode mock`, which also
 * starts the app with it. Does nothing in a build: no release contains the worker.
 */
export function mockApi(): Plugin {
  let isMocked = false;
  return {
    name: "mock-api",
    apply: "serve",
    configResolved({ mode }) {
      isMocked = mode === "mock";
    },
    configureServer({ middlewares }) {
      const file = createRequire(import.meta.url).resolve("msw/mockServiceWorker.js");
      middlewares.use(WORKER_URL, (_request, response) => {
        response.setHeader("Content-Type", "text/javascript");
        response.end(readFileSync(file));
      });
    },
    transformIndexHtml: {
      order: "pre",
      handler: (html) => (isMocked ? withMockEntry(html) : html),
    },
  };
}
