import { BLUE, makeFile, png, RED, red, rotateJpeg } from "./image-files";
import {
  ada,
  mockResponse,
  logInAsAda,
  expectError,
  expectRedirectToLogin,
  expectToast,
  mockError,
} from "./mock-api";
import { mockUploads } from "./mock-uploads";
import {
  getColours,
  roundCrop,
  openImageDialog,
  getCropper,
  getProfileImage,
  waitForCrop,
} from "./profile-images";
import { expect, expectAccessible, test } from "./test";

test.use({ serverFor: "pictures" });

const halves = png("halves.png", 900, 450, RED, BLUE);

// proves: profile-upload-buttons, profile-avatar, edit-image-success, upload-one-file
test("a profile image is cropped by keys, and shown everywhere", async ({ founder: page }) => {
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") calls.push(new URL(request.url()).pathname);
  });
  await page.goto("/profile/founder");
  const dialog = await openImageDialog(page, "Profile image", halves);
  const part = getCropper(dialog);
  await part.focus();
  // The image is moved to the left as far as possible, so the crop is its right half.
  for (let pressed = 0; pressed < 15; pressed += 1) await page.keyboard.press("ArrowLeft");
  await expect(dialog.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "Waiting");
  expect(calls).toEqual([]);
  const crop = waitForCrop(page, "profile");
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await expectToast(page, "Image updated");
  expect(roundCrop(await crop)).toEqual({ x: 0.5, y: 0, width: 0.5, height: 1 });
  await expect(dialog.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "Complete");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Upload profile image" })).toBeFocused();

  const picture = getProfileImage(page);
  await expect(picture).toHaveAttribute("src", /^\/images\/[0-9a-f]+\/400\.webp$/);
  await expect(picture).toHaveAttribute("srcset", /96\.webp 96w, .*200\.webp 200w, .*400\.webp/);
  expect(await getColours(picture)).toBe("blue");
  const address = (await picture.getAttribute("src")) ?? "";
  await page.goto("/");
  const composer = page.locator("form").filter({ has: page.getByLabel("Your post") });
  await expect(composer.locator(`img[src="${address}"]`)).toBeVisible();
});

// proves: profile-upload-buttons, profile-header-image, edit-image-success
test("a header is cropped by the pointer and the slider", async ({ founder: page }) => {
  await page.goto("/profile/founder");
  const dialog = await openImageDialog(
    page,
    "Header image",
    png("halves.png", 900, 600, RED, BLUE),
  );
  const box = await getCropper(dialog).boundingBox();
  if (!box) throw new Error("The frame is not there.");
  expect(box.width / box.height).toBeCloseTo(3, 1);
  await dialog.getByLabel("Zoom").fill("2");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 1.2, box.y + box.height / 2, { steps: 6 });
  await page.mouse.up();
  const crop = waitForCrop(page, "header");
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await expectToast(page, "Image updated");
  expect(roundCrop(await crop)).toEqual({ x: 0, y: 0.38, width: 0.5, height: 0.25 });
  await dialog.getByRole("button", { name: "Done" }).click();
  const header = page
    .getByRole("region", { name: "About" })
    .locator("img[src*='/images/']")
    .first();
  expect(await getColours(header)).toBe("red");
  const shown = await header.boundingBox();
  expect((shown?.width ?? 0) / (shown?.height ?? 1)).toBeCloseTo(3, 1);
});

test("a rotated photo is cropped as it is displayed", async ({ founder: page }) => {
  await page.goto("/profile/founder");
  const lying = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(600, 300);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("There is no canvas.");
    for (const [index, colour] of ["#dc1e1e", "#283cdc"].entries()) {
      context.fillStyle = colour;
      context.fillRect(index * 300, 0, 300, 300);
    }
    const blob = await canvas.convertToBlob({ type: "image/jpeg" });
    return [...new Uint8Array(await blob.arrayBuffer())];
  });
  // Displayed upright, red is at the top and blue at the bottom.
  const photo = makeFile("photo.jpg", "image/jpeg", rotateJpeg(Buffer.from(lying)));
  const dialog = await openImageDialog(page, "Profile image", photo);
  await getCropper(dialog).focus();
  for (let pressed = 0; pressed < 15; pressed += 1) await page.keyboard.press("ArrowUp");
  const crop = waitForCrop(page, "profile");
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await expectToast(page, "Image updated");
  expect(roundCrop(await crop)).toEqual({ x: 0, y: 0.5, width: 1, height: 0.5 });
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await getColours(getProfileImage(page))).toBe("blue");
});

test("removing a profile image needs a confirmation", async ({ founder: page }) => {
  await page.goto("/profile/founder");
  const dialog = await openImageDialog(page, "Profile image", red);
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(getProfileImage(page)).toBeVisible();
  const upload = page.getByRole("button", { name: "Upload profile image" });
  await upload.click();
  await dialog.getByRole("button", { name: "Remove image" }).click();
  await expect(dialog.getByText(/^Remove your profile image\?/)).toBeVisible();
  await dialog.getByRole("button", { name: "Keep it" }).click();
  await expect(getProfileImage(page)).toBeVisible();
  await dialog.getByRole("button", { name: "Remove image" }).click();
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expectToast(page, "Image removed");
  await expect(dialog).toBeHidden();
  await expect(upload).toBeFocused();
  await expect(getProfileImage(page)).toHaveCount(0);
  await upload.click();
  await expect(dialog.getByRole("button", { name: "Choose image" })).toBeFocused();
  await expect(dialog.getByRole("button", { name: "Remove image" })).toHaveCount(0);
});

for (const [which, title] of [
  ["profile", "Profile image"],
  ["header", "Header image"],
] as const) {
  // proves: edit-image-failed, upload-failed, upload-actions
  test(`a ${which} image that is rejected can be retried`, async ({ page }) => {
    await logInAsAda(page);
    await mockUploads(page);
    await page.goto("/profile/ada");
    const dialog = await openImageDialog(page, title, red);
    await mockError(page, `${which}-images`, 500);
    await dialog.getByRole("button", { name: "Upload", exact: true }).click();
    await expectError(page, `Failed to update ${which} image. Please try again.`);
    await mockError(page, `${which}-images`, 503, "Kith is busy.");
    await dialog.getByRole("button", { name: "Retry" }).click();
    await expectError(page, "Kith is busy.");
    const bar = dialog.getByRole("progressbar");
    await expect(bar).toHaveAttribute("aria-valuetext", "Upload failed");
    await expect(dialog.getByRole("alert")).toHaveText("Kith is busy.");
    const url = `${which}ImageUrl`;
    await page.unroute(`**/api/${which}-images`);
    await mockResponse(page, `${which}-images`, { ...ada, [url]: "/icon-512.png" });
    await dialog.getByRole("button", { name: "Retry" }).click();
    await expectToast(page, "Image updated");
    await expect(bar).toHaveAttribute("aria-valuetext", "Complete");
    const about = page.getByRole("region", { name: "About", includeHidden: true });
    await expect(about.locator("img[src='/icon-512.png']")).toHaveCount(1);
  });
}

// proves: upload-actions
test("an upload is paused, cancelled and restarted", async ({ page }) => {
  await logInAsAda(page);
  let sends = 0;
  // The first two uploads never end.
  const calls = await mockUploads(page, {
    send: (route) => ((sends += 1) > 2 ? route.fulfill({ status: 200, body: "" }) : undefined),
  });
  await mockResponse(page, "profile-images", { ...ada, profileImageUrl: "/icon-512.png" });
  await page.goto("/profile/ada");
  const dialog = await openImageDialog(page, "Profile image", red);
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  await button("Upload").click();
  await button("Pause").click();
  await expect(dialog.getByText(/^Paused at \d+%$/)).toBeVisible();
  await button("Resume").click();
  await expect(button("Pause")).toBeVisible();
  await button("Cancel").click();
  await expect(dialog.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "Waiting");
  await button("Upload").click();
  await button("Done").click();
  await expect(dialog).toBeHidden();
  expect(calls.filter((call) => call === "cancel")).toHaveLength(1);
});

// proves: edit-image-limit
test("a file that is no image or too large shows an error, and is not sent", async ({ page }) => {
  await logInAsAda(page);
  const calls = await mockUploads(page);
  await page.goto("/profile/ada");
  await page.getByRole("button", { name: "Upload header image" }).click();
  const dialog = page.getByRole("dialog", { name: "Header image" });
  const field = dialog.locator("input[type=file]");
  await expect(field).not.toHaveAttribute("multiple");
  const large = Buffer.alloc(10_485_761);
  large.set(red.buffer);
  await field.setInputFiles(makeFile("large.png", "image/png", large));
  await expect(dialog.getByRole("alert")).toHaveText("large.png is larger than 10 MB.");
  await field.setInputFiles(makeFile("words.png", "image/png", Buffer.from("just words")));
  await expect(dialog.getByRole("alert")).toHaveText(
    "words.png is not an image Kith can read. Use JPEG, PNG, WebP, GIF or AVIF.",
  );
  // One byte less is accepted.
  await field.setInputFiles(makeFile("fits.png", "image/png", large.subarray(0, -1)));
  await expect(dialog.getByRole("button", { name: "Upload", exact: true })).toBeVisible();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  expect(calls).toEqual([]);
});

test("after the session's end a new profile image redirects to the login", async ({ page }) => {
  await logInAsAda(page);
  await mockUploads(page);
  await mockError(page, "profile-images", 401);
  await page.goto("/profile/ada");
  const dialog = await openImageDialog(page, "Profile image", red);
  const upload = dialog.getByRole("button", { name: "Upload", exact: true });
  await expectRedirectToLogin(page, () => upload.click());
});

// proves: profile-avatar
test("a profile image that cannot be loaded falls back to the first letter", async ({ page }) => {
  await logInAsAda(page, { profileImageUrl: "/images/gone/400.webp" });
  await mockResponse(page, "users/ada", { ...ada, profileImageUrl: "/images/gone/400.webp" });
  await page.goto("/profile/ada");
  const about = page.getByRole("region", { name: "About" });
  await expect(about.getByText("A", { exact: true })).toBeVisible();
  await expect(about.locator("img")).toHaveCount(0);
});

test("the dialogs of both images are accessible", async ({ page }) => {
  test.slow();
  await logInAsAda(page);
  await page.goto("/profile/ada");
  await page.getByRole("button", { name: "Upload header image" }).click();
  await expect(page.getByRole("button", { name: "Choose image" })).toBeVisible();
  await expectAccessible(page, "choosing a header");
  await page.keyboard.press("Escape");
  await openImageDialog(page, "Profile image", halves);
  await expectAccessible(page, "cutting a picture");
});
