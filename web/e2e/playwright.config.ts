import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 1,
  timeout: 45_000,
  // A run that is broken as a whole should say so soon.
  maxFailures: 5,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    // Recording costs a third of the time: `--trace=retain-on-failure` says what went wrong.
    trace: "off",
    launchOptions: {
      executablePath: process.env["KITH_CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
