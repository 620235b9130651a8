import { defineConfig } from "@playwright/test";
import base from "../e2e/playwright.config";

/** As the browser tests, but with patience. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "*.perf.ts",
  timeout: 15 * 60_000,
});
