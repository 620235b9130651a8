import { chooseFiles, openHome, post, getTiles } from "./composer-images";
import { noisePng, red } from "./image-files";
import { expectRedirectToLogin, expectToast, mockError } from "./mock-api";
import { mockUploads } from "./mock-uploads";
import { expect, test } from "./test";

test.use({ serverFor: "uploads" });

// proves: upload-states, upload-actions
test("an upload shows its progress, and is paused, resumed and cancelled", async ({
  founder: page,
}) => {
  const network = await page.context().newCDPSession(page);
  const limit = (uploadThroughput: number) =>
    network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await page.getByLabel("Your post").fill("A large one");
  // The upload itself should be fast.
  await chooseFiles(page, red);
  await expect(post(page)).toBeEnabled();
  await limit(200_000);
  await chooseFiles(page, noisePng("noise.png", 600));
  const tile = getTiles(page).nth(1);
  const bar = tile.getByRole("progressbar", { name: "Image 2 of 2" });
  await expect
    .poll(async () => Number(await bar.getAttribute("aria-valuenow")), { intervals: [50] })
    .toBeGreaterThan(10);
  expect(Number(await bar.getAttribute("aria-valuenow"))).toBeLessThan(100);
  await expect(post(page)).toBeDisabled();
  await expect(page.getByText("An image is uploading.", { exact: true })).toBeVisible();

  const stopped = page.waitForEvent("requestfailed", (request) => request.method() === "PUT");
  await tile.getByRole("button", { name: "Pause: Image 2 of 2" }).click();
  await stopped;
  const paused = tile.getByText(/^Paused at \d+%$/);
  await expect(paused).toBeVisible();
  await expect(page.getByText("An upload is paused.", { exact: true })).toBeVisible();
  const held = await paused.textContent();
  await limit(-1);
  await expect(paused).toHaveText(held ?? "");
  await tile.getByRole("button", { name: "Resume: Image 2 of 2" }).click();
  await expect(tile.getByRole("button", { name: /ALT/ })).toBeVisible();
  await expect(post(page)).toBeEnabled();

  await limit(50_000);
  await chooseFiles(page, noisePng("again.png", 600));
  const cancelled = page.waitForRequest("**/api/objects/*/cancel");
  await expect(getTiles(page)).toHaveCount(3);
  await expect(
    getTiles(page)
      .nth(2)
      .getByText(/^Uploading/),
  ).toBeVisible();
  await getTiles(page)
    .nth(2)
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await limit(-1);
  await cancelled;
  await expect(getTiles(page)).toHaveCount(2);
  await expect(post(page)).toBeEnabled();
});

// proves: upload-failed, upload-actions
test("a lost connection is retried, and then shows an error with a Retry button", async ({
  page,
}) => {
  await openHome(page);
  await page.clock.install();
  let lost = true;
  const calls = await mockUploads(page, {
    send: (route) => (lost ? route.abort() : route.fulfill({ status: 200, body: "" })),
  });
  await chooseFiles(page, red);
  const tile = getTiles(page).first();
  await expect(async () => {
    await page.clock.runFor(1_000);
    await expect(tile.getByRole("alert")).toBeVisible({ timeout: 200 });
  }).toPass();
  await expect(tile.getByRole("alert")).toHaveText("Upload failedKith can't be reached right now.");
  expect(calls).toEqual(["requestUrl", "send", "send", "send", "send", "send"]);
  await expect(
    page.getByText("An image was not uploaded. Try again or remove it.", { exact: true }),
  ).toBeVisible();
  lost = false;
  await tile.getByRole("button", { name: "Retry: Image 1 of 1" }).click();
  await expect(tile.getByRole("button", { name: /ALT/ })).toBeVisible();
  expect(calls.slice(6)).toEqual(["send", "prepare"]);
});

// proves: upload-failed
test("an expired upload URL is replaced at the next attempt", async ({ page }) => {
  await openHome(page);
  let expired = true;
  const message = "This upload URL has expired. Please request a new one.";
  const calls = await mockUploads(page, {
    send: (route) =>
      expired
        ? route.fulfill({ status: 410, json: { code: "upload_expired", message } })
        : route.fulfill({ status: 200, body: "" }),
  });
  await chooseFiles(page, red);
  const tile = getTiles(page).first();
  await expect(tile.getByRole("alert")).toHaveText(`Upload failed${message}`);
  expired = false;
  const sent = page.waitForRequest((request) => request.method() === "PUT");
  await tile.getByRole("button", { name: /^Retry/ }).click();
  expect(new URL((await sent).url()).searchParams.get("signature")).toBe("s2");
  // The headers of the upload URL are sent.
  expect((await sent).headers()["x-invented"]).toBe("yes");
  await expect(tile.getByRole("button", { name: /ALT/ })).toBeVisible();
  expect(calls.filter((call) => call !== "cancel")).toEqual([
    "requestUrl",
    "send",
    "requestUrl",
    "send",
    "prepare",
  ]);
});

// proves: upload-url-failed
test("without an upload URL there is a toast, and the image can be retried", async ({ page }) => {
  await openHome(page);
  await mockUploads(page, { requestUrl: (route) => route.fulfill({ status: 500, body: "" }) });
  await chooseFiles(page, red);
  await expectToast(page, "Upload Error", "Failed to get upload URL. Please try again.");
  const tile = getTiles(page).first();
  await page.unroute("**/api/objects/**");
  const busy = { code: "unavailable", message: "Kith is busy." };
  await mockUploads(page, { requestUrl: (route) => route.fulfill({ status: 503, json: busy }) });
  await tile.getByRole("button", { name: /^Retry/ }).click();
  await expectToast(page, "Upload Error", "Kith is busy.");
  await expect(tile.getByRole("alert")).toHaveText("Upload failedKith is busy.");
  await page.unroute("**/api/objects/**");
  await mockUploads(page);
  await tile.getByRole("button", { name: /^Retry/ }).click();
  await expect(tile.getByRole("button", { name: /ALT/ })).toBeVisible();
});

test("a file that the server cannot decode shows the server's message", async ({ page }) => {
  await openHome(page);
  const message = "The image is damaged.";
  await mockUploads(page, {
    prepare: (route) => route.fulfill({ status: 422, json: { code: "bad_image", message } }),
  });
  await page.getByLabel("Your post").fill("Look");
  await chooseFiles(page, red);
  const tile = getTiles(page).first();
  await expect(tile.getByRole("alert")).toHaveText(`Upload failed${message}`);
  await expect(post(page)).toBeDisabled();
  await tile.getByRole("button", { name: /^Cancel/ }).click();
  await expect(getTiles(page)).toHaveCount(0);
  await expect(post(page)).toBeEnabled();
});

test("an upload after the session's end redirects to the login", async ({ page }) => {
  await openHome(page);
  await mockError(page, "objects/upload", 401);
  await expectRedirectToLogin(page, () => chooseFiles(page, red));
});

// proves: upload-leave, upload-lost
test("leaving the page during an upload needs a confirmation, and a reload lists the lost images", async ({
  page,
}) => {
  await openHome(page);
  let isHeld = true;
  await mockUploads(page, { send: (route) => isHeld || route.fulfill({ status: 200, body: "" }) });
  const dialogs: string[] = [];
  let stays = true;
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.type());
    void (stays ? dialog.dismiss() : dialog.accept());
  });
  const notice = page.getByText(/^The page was reloaded before/);
  await page.getByLabel("Your post").fill("Look");
  await page.reload();
  await chooseFiles(page, red);
  const tile = getTiles(page).first();
  await expect(tile.getByText(/^Uploading/)).toBeVisible();
  expect(dialogs).toEqual([]);
  await page.evaluate(() => location.reload());
  await expect.poll(() => dialogs).toEqual(["beforeunload"]);
  await expect(tile.getByText(/^Uploading/)).toBeVisible();
  await expect(notice).toHaveCount(0);

  stays = false;
  await page.reload();
  await expect(notice).toHaveText(
    "The page was reloaded before an image was uploaded. Please add it again.",
  );
  await expect(page.getByLabel("Your post")).toHaveValue("Look");
  // The message stays until the image is added again, also after another reload.
  await page.getByLabel("Your post").fill("Look here");
  await page.reload();
  await expect(notice).toBeVisible();
  isHeld = false;
  await chooseFiles(page, red);
  await expect(notice).toHaveCount(0);
  await expect(tile.getByRole("button", { name: /ALT/ })).toBeVisible();
  dialogs.length = 0;
  await page.reload();
  await expect(getTiles(page)).toHaveCount(1);
  expect(dialogs).toEqual([]);
  await expect(notice).toHaveCount(0);

  isHeld = true;
  await chooseFiles(page, red, red);
  await expect(
    getTiles(page)
      .nth(2)
      .getByText(/^Uploading/),
  ).toBeVisible();
  // Another tab shows no message: in this one the uploads are still pending.
  const other = await page.context().newPage();
  await openHome(other);
  await expect(getTiles(other)).toHaveCount(1);
  await expect(other.getByText(/^The page was reloaded before/)).toHaveCount(0);
  await other.close();
  await page.reload();
  await expect(notice).toHaveText(
    "The page was reloaded before 2 images were uploaded. Please add them again.",
  );
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(getTiles(page)).toHaveCount(1);
  await expect(notice).toHaveCount(0);
});
