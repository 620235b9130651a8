import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { preloads } from "./tools/preloads.ts";
import { sizeBudget } from "./tools/size-budget.ts";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the pages of visitors share with those of members: fields, titles. */
const form =
  /src\/lib\/|src\/api\/waitlist\.ts|src\/ui\/(?:dialog|dialog-code|late|field|character-count|legal-links|use-focus-invalid)\.tsx?|useMutation|mutationObserver|icons\/(?:check|pause|play|x)\.mjs/;

/** What lies above pages: dialogs and toasts, fetched once the first screen is drawn. */
const above =
  /src\/ui\/(?:toaster|dialog-panel|drawer-panel|confirm-dialog-panel|scroll-lock|use-return-focus)|react-(?:toast|(?:alert-)?dialog|focus|collection|dismissable|presence|portal|visually-hidden)|aria-hidden/;

/** What no page needs before somebody opens a menu. */
const opened =
  /floating-ui|react-(?:dropdown-)?menu|react-pop(?:per|over)|react-(?:roving-focus|direction|use-size|use-is-hydrated)|src\/ui\/(?:menu|keep-away-items)\.tsx/;

/** The modules a place begins with beside `main.tsx`, by the first part of its address. */
const places = {
  visitor: ["src/screens/landing.tsx"],
  member: ["src/app/member.tsx"],
  post: ["src/screens/thread.tsx"],
  profile: ["src/screens/profile.tsx"],
  notifications: ["src/screens/notifications.tsx"],
  discover: ["src/screens/discover.tsx"],
  invites: ["src/screens/invites.tsx"],
  settings: ["src/screens/settings.tsx"],
  tag: ["src/screens/tag.tsx"],
  admin: ["src/screens/admin.tsx"],
};

const KB = 1_000;
const budgets = [
  {
    page: "The landing page",
    starts: ["src/app/main.tsx", "src/screens/landing.tsx"],
    // Little room: one module that members share would bring the whole feed along, 18 KB.
    most: 110 * KB,
  },
  {
    page: "Home",
    starts: ["src/app/main.tsx", "src/app/member.tsx", "src/screens/home.tsx"],
    most: 200 * KB,
  },
];

export default defineConfig({
  plugins: [react(), tailwindcss(), preloads(places), sizeBudget(budgets)],
  resolve: {
    alias: {
      "@": source("./src"),
      // The dialog primitives lock scrolling by injecting a <style> element, which the
      // content security policy refuses. Our replacement goes through the CSSOM instead.
      "react-remove-scroll": source("./src/ui/scroll-lock.tsx"),
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8080" } },
  build: {
    // The policy allows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split("~", 1)[0]}-[hash].js`,
        // One script for the start, and few for what pages share: each costs a round trip.
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], priority: 3 },
            { name: "form", test: form, priority: 2 },
            { name: "above", test: above, priority: 2 },
            { name: "feed", test: (id) => !opened.test(id), minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    include: ["src/**/*.test.ts", "tools/*.test.ts", "e2e/**/*.test.ts"],
    environment: "node",
  },
});
