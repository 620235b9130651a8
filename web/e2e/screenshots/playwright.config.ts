import { defineConfig } from "@playwright/test";
import tests from "../playwright.config";

/** Takes pictures instead of testing: `cargo xtask screenshots`. */
export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "take.ts",
  outputDir: "../artifacts/screenshots",
  timeout: 120_000,
  maxFailures: 0,
});
