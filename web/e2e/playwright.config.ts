import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 2,
  // Two cores that do much else besides take a minute for axe in two themes.
  timeout: 120_000,
  // A run that is broken as a whole should say so soon.
  maxFailures: 5,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    // Recording costs time: with `--trace=retain-on-failure` a failed test leaves a record.
    trace: "off",
    // A worker would answer from its caches what tests mock; `installed-app.spec.ts` allows it.
    serviceWorkers: "block",
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
