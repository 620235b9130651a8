import type { Page } from "@playwright/test";

/** One screen in one state. */
export interface Scene {
  /** The name of its pictures. */
  name: string;
  /** Who looks: the reader, somebody who joined just now, nobody who is logged in, or the founder of a demo. */
  as?: "reader" | "newcomer" | "visitor" | "demo";
  path: string;
  /** What leads from the opened page to the state. */
  prepare?: (page: Page) => Promise<unknown>;
  /** What must be in sight before the picture is taken. */
  shows: string | RegExp;
  /** The whole page instead of what a window shows of it. */
  whole?: boolean;
  /** The only widths at which the state exists. */
  widths?: readonly number[];
}

/** Presses the button of that name which is in sight. */
export const press = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).locator("visible=true").click();

/** Lets calls to an address wait for ever, so that what is shown meanwhile can be seen. */
export const withhold = (address: string) => async (page: Page) => {
  await page.route(`**/api/${address}`, () => undefined);
  await page.reload();
};

/** Lets calls to an address fail. */
export const fail = (address: string) => async (page: Page) => {
  await page.route(`**/api/${address}`, (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
};

/** Opens the menu of the first post. */
export async function openCardMenu(page: Page) {
  const card = page.getByRole("article").first();
  await card.getByRole("button", { name: "More", exact: true }).click();
}
