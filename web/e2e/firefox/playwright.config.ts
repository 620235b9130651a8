import { defineConfig } from "@playwright/test";

/** Runs the tests in Firefox. Playwright only runs them; Puppeteer drives the browser. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.firefox.ts",
  outputDir: "../test-results",
  workers: 1,
  timeout: 120_000,
  reporter: [["list"]],
});
