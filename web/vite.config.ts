import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { VitePWA } from "vite-plugin-pwa";
import { defineConfig } from "vitest/config";
import { brotliTwins } from "./tools/brotli-twins.ts";
import { firstScreenPlugin } from "./tools/first-screen.ts";
import { mockApi } from "./tools/mock-api.ts";
import { messages } from "./tools/messages.ts";
import { preloads } from "./tools/preloads.ts";
import { sizeBudget } from "./tools/size-budget.ts";

/** An entry of the app's list of screens: the first part of its path, and its file. */
const SCREEN = /screen\("\/([a-z]*)[^"]*",[^(]*\(\) => import\("@\/(screens\/[a-z-]+)"\)/g;
const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Modules that the pages of visitors and members share: fields, titles. */
const formModules =
  /src\/lib\/(?!i18n\/locales|live\/)|src\/components\/(?:legal-links|report-reasons|use-preserved-input|use-server-form)\.|src\/ui\/(?:lazy-overlay|text-field|character-count)\.|useMutation|mutationObserver|icons\/(?:check|pause|play|x)\.mjs/;

/** Overlays and toasts, which are fetched after the first screen is painted. */
const overlayModules =
  /src\/ui\/(?:toaster|dialog|drawer|confirm-dialog|dropdown-menu|scroll-lock)\.|radix-ui|floating-ui|aria-hidden/;

/** Modules that are shared by screens and overlays which few members open. */
const seldomSharedModules =
  /note-dialog|moderation-action-dialog|conversation-mute-item|features\/notices|src\/api\/moderation-notices|ui\/detail|mdast|micromark/;

/**
 * The modules that a page starts with besides `main.tsx`, by the first segment of its path: of visitors, of
 * members, of the screens in `screens.ts`, and the texts of each language other than English.
 */
const initialModules = {
  "de-shared": ["src/lib/i18n/locales/de/shared.po"],
  "de-member": ["src/lib/i18n/locales/de/member.po"],
  visitor: ["src/screens/landing.tsx"],
  member: ["src/app/authenticated-app.tsx"],
  ...Object.fromEntries(
    [...readFileSync(source("src/app/screens.ts"), "utf8").matchAll(SCREEN)]
      .map(([, segment, file]) => [segment || "home", [`src/${file}.tsx`]] as const)
      .toReversed(),
  ),
};

const KB = 1_000;
const budgets = [
  {
    page: "The landing page",
    starts: ["src/app/main.tsx", "src/screens/landing.tsx"],
    // Kept tight: a single module shared with members' pages would add the whole feed, 18 KB.
    maxBytes: 110 * KB,
  },
  {
    page: "Home",
    starts: ["src/app/main.tsx", "src/app/authenticated-app.tsx", "src/screens/home.tsx"],
    maxBytes: 200 * KB,
  },
];

/** Dependencies of component tests, which Vite prebundles before the first test. */
const componentTestDependencies = [
  "@lingui/core",
  "@lingui/react",
  "@tanstack/react-query",
  "lucide-react",
  "mdast-util-from-markdown",
  "mdast-util-to-string",
  "msw",
  "msw/browser",
  "openapi-fetch",
  "openapi-msw",
  "radix-ui",
  "react",
  "react-dom",
  "react-dom/client",
  "react-easy-crop",
  "react-markdown",
  "react/jsx-dev-runtime",
  "thumbhash",
  "vitest-browser-react",
  "wouter",
  "wouter/memory-location",
  "wouter/use-browser-location",
];

/** Files that the service worker precaches: enough to write posts without a network, and to continue later. */
const precachedFiles = [
  "index.html",
  "start.js",
  "assets/*.{css,js}",
  "assets/*-latin-{wght,400}-{normal,italic}-*.woff2",
];

/** Code of pages and dialogs that few members open, or that are useless without a network. */
const seldomUsedFiles = [
  "{admin,moderation-action-dialog,remove-post-dialog,note-dialog,image-dialog}",
  "{notice,moderation-notices,object-button,objection-dialog,list-rules}",
  "{login-dialog,verify-login,confirm-email-change,terms,privacy,rules,imprint,markdown}",
].map((names) => `assets/${names}-*`);

export default defineConfig({
  plugins: [
    messages(),
    // Compiles the catalogues only: messages() transforms the macros.
    lingui({ failOnCompileError: true }),
    react(),
    tailwindcss(),
    preloads(initialModules),
    firstScreenPlugin(),
    // Tests check the budget; a build for a container image must not fail because of it.
    process.env["SIZE_BUDGET"] !== "off" && sizeBudget(budgets),
    VitePWA({
      strategies: "injectManifest",
      srcDir: "src/service-worker",
      filename: "service-worker.ts",
      // The manifest is in `public/`, and a member's page registers the worker when it is idle.
      manifest: false,
      injectRegister: false,
      injectManifest: {
        rollupFormat: "iife",
        globPatterns: precachedFiles,
        globIgnores: seldomUsedFiles,
      },
    }),
    brotliTwins(),
    mockApi(),
  ],
  resolve: {
    alias: {
      "@": source("./src"),
      // The dialog primitives lock scrolling with an injected <style> element, which the content
      // security policy blocks. The replacement uses a rule of styles/main.css.
      "react-remove-scroll": source("./src/ui/scroll-lock.tsx"),
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8080" } },
  build: {
    // The content security policy allows neither data: URLs nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split("~", 1)[0]}-[hash].js`,
        // One script for the start, and few for shared modules: each costs a round trip.
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], priority: 3 },
            { name: "forms", test: formModules, priority: 2 },
            { name: "overlays", test: overlayModules, priority: 2 },
            {
              name: "feed",
              // Modules that only overlays share would add the code of all overlays to the feed.
              test: (id) => !seldomSharedModules.test(id),
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "tools/*.test.ts", "e2e/**/*.test.ts"],
          environment: "node",
        },
      },
      {
        extends: true,
        // A dependency that Vite discovers later would reload the page during a test.
        optimizeDeps: { include: componentTestDependencies },
        test: {
          name: "components",
          include: ["src/**/*.test.tsx"],
          setupFiles: ["src/test/setup-component-tests.ts"],
          // Generous, because machines of CI may be busy.
          testTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: process.env["KITH_CHROMIUM"] ?? "/usr/bin/chromium",
                args: ["--no-sandbox", "--disable-gpu"],
              },
              contextOptions: { reducedMotion: "reduce" },
            }),
            instances: [{ browser: "chromium", viewport: { width: 1000, height: 800 } }],
          },
        },
      },
    ],
  },
});
