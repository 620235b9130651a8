import { defineConfig } from "@playwright/test";
import tests from "../playwright.config";

/** Takes the screenshots of `cargo xtask screenshots`. */
export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "take.ts",
  outputDir: "../artifacts/screenshots",
  timeout: 120_000,
  maxFailures: 0,
});
