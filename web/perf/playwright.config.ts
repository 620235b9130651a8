import { defineConfig } from "@playwright/test";
import base from "../e2e/playwright.config";

/** The configuration of the browser tests with a timeout of 15 minutes. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "*.perf.ts",
  timeout: 15 * 60_000,
});
