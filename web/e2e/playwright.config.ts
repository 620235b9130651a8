import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  fullyParallel: false,
  // One more than CI has cores: tests also wait, for mails and timers.
  workers: 3,
  // On two busy cores, axe takes a minute for two themes.
  timeout: 120_000,
  // CI lists a test that passes at the second attempt as flaky: a busy machine may pause a browser for long.
  retries: process.env["CI"] ? 1 : 0,
  // Stops early if everything is broken.
  maxFailures: 5,
  expect: { timeout: 20_000 },
  reporter: [["list"], [fileURLToPath(import.meta.resolve("./failed-page-reporter.ts"))]],
  use: {
    // Traces cost time; `--trace=retain-on-failure` records those of failed tests.
    trace: "off",
    // A service worker would serve from its caches what tests mock; only `installed-app.spec.ts` allows it.
    serviceWorkers: "block",
    // Without a graphics processor, frames of animations and of the landing page's video take much of two cores.
    contextOptions: { reducedMotion: "reduce" },
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
