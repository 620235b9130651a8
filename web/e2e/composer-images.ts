import type { Locator } from "@playwright/test";
import type { ImageFile } from "./image-files";
import { logInAsAda } from "./mock-api";
import { expect, type Page } from "./test";

/** The images in the composer. */
export function getTiles(scope: Page | Locator): Locator {
  return scope.getByRole("list", { name: "Images" }).getByRole("listitem");
}

/** The composer's button Post. */
export function post(scope: Page | Locator): Locator {
  return scope.getByRole("button", { name: "Post", exact: true });
}

/** Chooses files as a member does, by the button and the browser's dialog. */
export async function chooseFiles(page: Page, ...files: ImageFile[]): Promise<void> {
  const dialog = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add images" }).click();
  await (await dialog).setFiles(files);
}

/** Opens Home of a mocked member. */
export async function openHome(page: Page): Promise<void> {
  await logInAsAda(page);
  await page.goto("/");
  await expect(page.getByLabel("Your post")).toBeVisible();
}
