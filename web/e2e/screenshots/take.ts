import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  request,
  test as base,
} from "@playwright/test";
import { type Kith, startDemo, startKith } from "../server";
import { type CreationTimes, spreadTimes } from "./spread-times";
import { signUpAll, signUpNewcomer, createContent, type Members } from "./community";
import { reader } from "./people";
import type { Scene } from "./scene";
import { scenes } from "./scenes";

const heights = new Map([
  [320, 658],
  [390, 844],
  [820, 1_180],
  [1_440, 900],
]);

interface Network {
  kith: Kith;
  made: CreationTimes;
  members: Members;
  newcomer: APIRequestContext;
}

/** The network of `kith demo`, with a session of its founder. */
interface Demo {
  kith: Kith;
  founder: APIRequestContext;
}

const test = base.extend<object, { network: Network; demo: Demo }>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, provide) => {
      const kith = await startDemo("--rate-limits=off");
      const founder = await request.newContext({ baseURL: kith.url });
      await founder.get(`/api/auth/verify${new URL(kith.founderLink).search}`);
      await provide({ kith, founder });
      await kith.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  network: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, provide) => {
      const kith = await startKith("--rate-limits=off");
      const began = Date.now();
      const members = await signUpAll(kith);
      const joined = Date.now();
      await createContent(members);
      const made = { began, joined, ended: Date.now() };
      const newcomer = await signUpNewcomer(kith, members, "weilin");
      await provide({ kith, made, members, newcomer });
      await kith.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

for (const scene of scenes.filter(({ as }) => as !== "demo")) {
  test(scene.name, async ({ browser, network }) => {
    const storage = { baseURL: network.kith.url, ...(await session(scene, network)) };
    await takeAll(browser, scene, storage, (context) => spreadTimes(context, network.made));
  });
}

for (const scene of scenes.filter(({ as }) => as === "demo")) {
  test(scene.name, async ({ browser, demo: { kith, founder } }) => {
    const storageState = await founder.storageState();
    await takeAll(browser, scene, { baseURL: kith.url, storageState });
  });
}

async function takeAll(
  browser: Browser,
  scene: Scene,
  options: BrowserContextOptions,
  prepare?: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const folder = process.env["KITH_SCREENSHOTS"];
  if (!folder) throw new Error("KITH_SCREENSHOTS must name the folder for the pictures.");
  await mkdir(folder, { recursive: true });
  for (const [width, height] of heights) {
    if (scene.widths && !scene.widths.includes(width)) continue;
    const viewport = { width, height };
    const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
    await prepare?.(context);
    await take(context, scene, join(folder, `${scene.name}-${width}`));
    await context.close();
  }
}

async function session({ as = "reader" }: Scene, { members, newcomer }: Network) {
  const who = as === "newcomer" ? newcomer : members.get(reader);
  return as === "visitor" || !who ? {} : { storageState: await who.storageState() };
}

async function take(context: BrowserContext, scene: Scene, file: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(scene.path);
  await scene.prepare?.(page);
  await expect(page.getByText(scene.shows).locator("visible=true").first()).toBeVisible();
  // Waits for late content, such as the right column; held-back responses need the timeout.
  await page.waitForLoadState("networkidle", { timeout: 1_500 }).catch(() => undefined);
  if (scene.whole) await showWhole(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => document.fonts.ready);
    const path = `${file}-${colorScheme}.png`;
    await page.screenshot({ path, caret: "initial" });
  }
}

/** Makes the window as high as the page, so that bars are at its edges. */
async function showWhole(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height });
}
