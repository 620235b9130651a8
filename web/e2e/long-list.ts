import type { Page } from "@playwright/test";
import { makePost } from "./mock-api";

const PAGE_SIZE = 20;
const FIRST = 1_000;

/** A paginated list of mocked posts, newest first. */
export interface LongList {
  /** The query of each request; tests empty the list. */
  requests: string[];
  /** Adds posts of other members at the top. */
  add(count: number): void;
}

/** Responds to requests to a path below `/api/` with pages of `count` posts of different heights. */
export async function mockPages(page: Page, address: string, count = 100): Promise<LongList> {
  const requests: string[] = [];
  let newest = FIRST + count - 1;
  await page.route(`**/api/${address}?*`, (route) => {
    const { search, searchParams } = new URL(route.request().url());
    requests.push(search);
    const first = Number(searchParams.get("cursor") ?? newest + 1) - 1;
    const length = Math.min(PAGE_SIZE, first - FIRST + 1);
    const posts = Array.from({ length }, (_, index) => longPost(first - index));
    const link = `</api/${address}?limit=20&cursor=${first - length + 1}>; rel="next"`;
    const hasNext = first - length >= FIRST;
    return route.fulfill({ json: posts, ...(hasNext && { headers: { link } }) });
  });
  return { requests, add: (more) => (newest += more) };
}

function longPost(id: number): object {
  return makePost(String(id), { content: `Post ${id}. ${"Many words. ".repeat((id * 7) % 30)}` });
}

/** Loads pages until the list has `rows` rows. */
export async function loadRows(page: Page, rows: number): Promise<void> {
  const cards = page.getByRole("article");
  const more = page.getByRole("button", { name: "Load more posts", exact: true });
  for (let loaded = PAGE_SIZE; loaded < rows; loaded += PAGE_SIZE) {
    await more.click();
    await page.waitForFunction(
      (count) => document.querySelectorAll("main article").length > count,
      loaded,
    );
  }
  await cards.nth(rows - 1).waitFor();
}

/** The distance of a post's card from the top of the window, in pixels. */
export function getTop(page: Page, id: number): Promise<number | undefined> {
  return page.evaluate((row) => {
    const card = document.querySelector(
      `main [data-row="${row}"], main article:has(a[href="/post/${row}"])`,
    );
    return card ? Math.round(card.getBoundingClientRect().top) : undefined;
  }, id);
}
