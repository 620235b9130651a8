import { type Browser, expect, type Page, test } from "@playwright/test";
import { type Kith, startKith } from "../e2e/server";
import { fillNetwork, type Network, openPage } from "./network";
import { type Frames, scroll } from "./scrolling";
import { median, printTable } from "./table";
import { countScript, readVitals, slowDown, type Vitals, recordVitals } from "./vitals";

const RUNS = 3;
const POSTS = 2_000;
const screen = { width: 412, height: 823 };

let kith: Kith;
let network: Network;

test.beforeAll(async ({ browser }) => {
  kith = await startKith("--rate-limits=off");
  network = await fillNetwork(browser, kith, POSTS);
});
test.afterAll(() => kith.stop());

/** Each page, and the interactions that are measured on it. */
const pages = {
  landing: {
    path: () => "/",
    isMember: false,
    async interact(page: Page) {
      await page.getByRole("button", { name: "Login", exact: true }).click();
      await page.getByLabel("Invite code").pressSequentially("abcd2345efgh");
    },
  },
  Home: { path: () => "/", isMember: true, interact: likeAndWrite },
  thread: { path: () => `/post/${network.reply}`, isMember: true, interact: likeAndWrite },
  profile: { path: () => `/profile/${network.username}`, isMember: true, interact: likeAndWrite },
};

async function likeAndWrite(page: Page) {
  const card = page.getByRole("article").first();
  await card.getByRole("button", { name: /^Like/ }).click();
  await expect(card.getByRole("button", { name: /^Unlike/ })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await card.getByRole("button", { name: /^Unlike/ }).click();
  // Scrolling down hides the bottom bar with the button; scrolling up shows it again.
  await page.mouse.wheel(0, -200);
  const compose = page.getByRole("button", { name: /^(?:New Post|Reply to )/ });
  await compose.locator("visible=true").last().click();
  const text = page.getByRole("dialog").getByRole("textbox").first();
  await text.pressSequentially("Typed on a slow phone");
  await page.waitForLoadState("networkidle");
  await text.fill("");
}

async function measure(browser: Browser, name: keyof typeof pages) {
  const { path, isMember, interact } = pages[name];
  const page = await openPage(browser, kith, screen, isMember ? network : undefined);
  await recordVitals(page);
  const session = await slowDown(page);
  const script = countScript(session);
  await page.goto(path());
  // A fixed time instead of polling, which takes time of the throttled CPU, or an idle network: the
  // video of the landing page loads for seconds.
  await page.waitForTimeout(4_000);
  const content = isMember ? page.getByRole("article") : page.getByRole("heading", { level: 1 });
  await expect(content.first()).toBeVisible();
  const bytes = script();
  await interact(page);
  const vitals = await readVitals(page);
  await page.context().close();
  return { ...vitals, bytes };
}

test("pages on a slow phone", async ({ browser }) => {
  const rows: string[][] = [];
  for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
    const runs: (Vitals & { bytes: number })[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(browser, name));
    const medianOf = (metric: keyof Vitals | "bytes") => median(runs.map((run) => run[metric]));
    rows.push([
      name,
      `${(medianOf("lcp") / 1_000).toFixed(2)} s`,
      medianOf("cls").toFixed(3),
      `${medianOf("inp").toFixed(0)} ms`,
      `${(medianOf("bytes") / 1_000).toFixed(0)} KB`,
    ]);
  }
  printTable(["Page", "LCP", "CLS", "INP", "Script on the wire"], rows);
});

test("scrolling a long feed", async ({ browser }) => {
  const page = await openPage(browser, kith, screen, network);
  await page.goto("/");
  const articles = page.getByRole("article");
  await expect(articles.first()).toBeVisible();
  const more = page.getByRole("button", { name: "Load more posts", exact: true });
  await expect(more).toBeVisible();
  while (await loadMore(page, more, articles)) continue;
  const loaded = await page.locator("article").count();
  expect(loaded).toBeGreaterThanOrEqual(POSTS);
  const session = await page.context().newCDPSession(page);
  const rows: string[][] = [];
  for (const rate of [1, 4]) {
    await session.send("Emulation.setCPUThrottlingRate", { rate });
    for (const step of [30, 120]) {
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(500);
      rows.push(makeRow(rate, step, await scroll(page, step, 10)));
    }
  }
  console.log(`\n${loaded} posts in the feed`);
  printTable(["Processor", "Speed", "Frames", "Over 16.7 ms", "Over 33 ms", "Longest"], rows);
  await page.context().close();
});

async function loadMore(
  page: Page,
  more: ReturnType<Page["getByRole"]>,
  articles: ReturnType<Page["getByRole"]>,
): Promise<boolean> {
  const before = await page.locator("article").count();
  if (before >= POSTS || !(await more.isVisible())) return false;
  // An event instead of a key press: the focus may be moving to the first new post.
  await more.dispatchEvent("click");
  await expect(articles.nth(before)).toBeAttached();
  return true;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function makeRow(rate: number, step: number, frames: Frames): string[] {
  return [
    rate === 1 ? "whole" : "a quarter",
    `${step} px per frame`,
    String(frames.count),
    percent(frames.over16),
    percent(frames.over33),
    `${frames.longest.toFixed(0)} ms`,
  ];
}
