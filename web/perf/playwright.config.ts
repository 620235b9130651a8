import { defineConfig } from "@playwright/test";
import base from "../e2e/playwright.config";

/** As the browser tests, but with patience and without traces, which cost time of their own. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "*.perf.ts",
  timeout: 15 * 60_000,
  use: { ...base.use, trace: "off" },
});
