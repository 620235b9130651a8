import type { Locator } from "@playwright/test";
import type { Crop } from "../src/api/types";
import type { ImageFile } from "./image-files";
import { expect, type Page } from "./test";

/** Opens the dialog of the viewer's profile image or header, and chooses a file. */
export async function openImageDialog(
  page: Page,
  title: string,
  file: ImageFile,
): Promise<Locator> {
  await page.getByRole("button", { name: `Upload ${title.toLowerCase()}` }).click();
  const dialog = page.getByRole("dialog", { name: title });
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Choose image" }).click();
  await (await chooser).setFiles(file);
  const preview = dialog.locator("img");
  await expect(preview).toBeVisible();
  return dialog;
}

/** The cropper's frame. */
export function getCropper(dialog: Locator): Locator {
  return dialog.getByRole("group", { name: "Part of the image to show" });
}

/** The profile image beside the name on a profile. */
export function getProfileImage(page: Page): Locator {
  const about = page.getByRole("region", { name: "About", includeHidden: true });
  return about.locator("[aria-hidden] > img");
}

/** Waits for the crop that the page sends. */
export async function waitForCrop(page: Page, which: "profile" | "header"): Promise<Crop> {
  const request = await page.waitForRequest(`**/api/${which}-images`);
  return (request.postDataJSON() as { crop: Crop }).crop;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Rounds a crop to hundredths. */
export function roundCrop(crop: Crop): Crop {
  const { x, y, width, height } = crop;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

/** The colours in an image from edge to edge. */
export async function getColours(image: Locator): Promise<"red" | "blue" | "both"> {
  await expect(image).toBeVisible();
  const reds = await image.evaluate(async (element) => {
    const shown = element as HTMLImageElement;
    await shown.decode();
    const { naturalWidth: width, naturalHeight: height } = shown;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    if (!context) throw new Error("There is no canvas.");
    context.drawImage(shown, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const at = (x: number, y: number) =>
      4 * (Math.floor(y * (height - 1)) * width + Math.floor(x * (width - 1)));
    return [0.03, 0.5, 0.97].flatMap((x) => [0.03, 0.97].map((y) => (data[at(x, y)] ?? 0) > 128));
  });
  if (reds.every(Boolean)) return "red";
  return reds.some(Boolean) ? "both" : "blue";
}
