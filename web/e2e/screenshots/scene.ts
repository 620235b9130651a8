import type { Page } from "@playwright/test";

/** A screen in one state. */
export interface Scene {
  /** The file name of its screenshots, without width and theme. */
  name: string;
  /** The viewer: the reader (the default), a new member, a visitor, or the founder of `kith demo`. */
  as?: "reader" | "newcomer" | "visitor" | "demo";
  path: string;
  /** Brings the loaded page into the state. */
  prepare?: (page: Page) => Promise<unknown>;
  /** A text that must be visible before the screenshot. */
  shows: string | RegExp;
  /** Whether the screenshot shows the whole page instead of the window. */
  whole?: boolean;
  /** The only widths at which the state exists. */
  widths?: readonly number[];
}

/** Presses the visible button of that name. */
export const press = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).locator("visible=true").click();

/** Never responds to requests to a path, to show the loading state. */
export const holdResponse = (address: string) => async (page: Page) => {
  await page.route(`**/api/${address}`, () => undefined);
  await page.reload();
};

/** Responds with an error to requests to a path. */
export const failRequests = (address: string) => async (page: Page) => {
  await page.route(`**/api/${address}`, (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
};

/** Opens the menu of the first post. */
export async function openCardMenu(page: Page) {
  const card = page.getByRole("article").first();
  await card.getByRole("button", { name: "More", exact: true }).click();
}
