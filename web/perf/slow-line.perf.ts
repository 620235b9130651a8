import { type Browser, expect, test } from "@playwright/test";
import { type Kith, startKith } from "../e2e/server";
import { fillNetwork, type Network, openPage } from "./network";
import { median, printTable } from "./table";
import { type PaintTimes, readPaintTimes, recordPaintTimes, throttleNetwork } from "./vitals";

const RUNS = 3;
/** More than one page of the feed. */
const POSTS = 60;
const phone = { width: 412, height: 823 };
const desktop = { width: 1440, height: 900 };

let kith: Kith;
let network: Network;

test.beforeAll(async ({ browser }) => {
  kith = await startKith("--rate-limits=off");
  network = await fillNetwork(browser, kith, POSTS);
});
test.afterAll(() => kith.stop());

/** Each page, and a selector of its main content. */
const pages = {
  Landing: { path: () => "/", isMember: false, content: "h1", screen: phone },
  Home: { path: () => "/", isMember: true, content: "article", screen: phone },
  "Home, wide screen": { path: () => "/", isMember: true, content: "article", screen: desktop },
  "Home, storage cleared": { path: () => "/", isMember: true, content: "article", screen: phone },
  Thread: {
    path: () => `/post/${network.reply}`,
    isMember: true,
    content: "article",
    screen: phone,
  },
};

async function measure(browser: Browser, name: keyof typeof pages): Promise<PaintTimes> {
  const { path, isMember, content, screen } = pages[name];
  const page = await openPage(
    browser,
    kith,
    screen,
    isMember ? network : undefined,
    name !== "Home, storage cleared",
  );
  await recordPaintTimes(page, content);
  await throttleNetwork(page);
  await page.goto(path(), { waitUntil: "commit" });
  await expect(page.locator(content).filter({ visible: true }).first()).toBeVisible({
    timeout: 60_000,
  });
  const times = await readPaintTimes(page);
  await page.context().close();
  return times;
}

test("pages on a slow line", async ({ browser }) => {
  const rows: string[][] = [];
  for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
    const runs: PaintTimes[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(browser, name));
    const medianOf = (metric: keyof PaintTimes) => median(runs.map((run) => run[metric]));
    rows.push([
      name,
      `${(medianOf("paint") / 1_000).toFixed(2)} s`,
      `${(medianOf("content") / 1_000).toFixed(2)} s`,
      medianOf("cls").toFixed(3),
    ]);
  }
  printTable(["Page", "First paint", "First content", "CLS"], rows);
});
