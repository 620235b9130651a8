import { defineConfig } from "@playwright/test";

/** Tests in Firefox: Playwright runs them, and Puppeteer drives the browser. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.firefox.ts",
  outputDir: "../test-results",
  workers: 1,
  timeout: 120_000,
  reporter: [["list"]],
});
