import { type Browser, expect, test } from "@playwright/test";
import { type Kith, startKith } from "../e2e/server";
import { fill, type Network, openPage } from "./network";
import { median, printTable } from "./table";
import { firstSights, type Sights, slowLine, watchSights } from "./vitals";

const RUNS = 3;
/** More than one page of the feed. */
const POSTS = 60;
const phone = { width: 412, height: 823 };
const desktop = { width: 1440, height: 900 };

let kith: Kith;
let network: Network;

test.beforeAll(async ({ browser }) => {
  kith = await startKith("--rate-limits=off");
  network = await fill(browser, kith, POSTS);
});
test.afterAll(() => kith.stop());

/** Each page, and the first thing on it that its reader came for. */
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

async function measure(browser: Browser, name: keyof typeof pages): Promise<Sights> {
  const { path, isMember, content, screen } = pages[name];
  const page = await openPage(
    browser,
    kith,
    screen,
    isMember ? network : undefined,
    name !== "Home, storage cleared",
  );
  await watchSights(page, content);
  await slowLine(page);
  await page.goto(path(), { waitUntil: "commit" });
  await expect(page.locator(content).filter({ visible: true }).first()).toBeVisible({
    timeout: 60_000,
  });
  const sights = await firstSights(page);
  await page.context().close();
  return sights;
}

test("pages on a slow line", async ({ browser }) => {
  const rows: string[][] = [];
  for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
    const runs: Sights[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(browser, name));
    const middle = (what: keyof Sights) => median(runs.map((run) => run[what]));
    rows.push([
      name,
      `${(middle("paint") / 1_000).toFixed(2)} s`,
      `${(middle("content") / 1_000).toFixed(2)} s`,
      middle("cls").toFixed(3),
    ]);
  }
  printTable(["Page", "First paint", "First content", "CLS"], rows);
});
