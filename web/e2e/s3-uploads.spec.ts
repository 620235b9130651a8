import { chooseFiles, post, getTiles } from "./composer-images";
import { red } from "./image-files";
import { expect, test } from "./test";

const bucket = process.env["KITH_TEST_S3"] ?? "s3://unnamed?endpoint=http://127.0.0.1:9";
const store = new URL(new URL(bucket).searchParams.get("endpoint") ?? "").origin;

test.use({
  serverFor: "store",
  // Uses its own prefix in the shared bucket.
  flags: [`--storage-url=${bucket.replace("?", `/e2e-${Date.now()}?`)}`],
});

// proves: call-upload, upload-failed
test("a file is sent directly to S3, retried after a lost connection, and shown from this server", async ({
  founder: page,
  kith,
}) => {
  let lost = 1;
  const sent: string[] = [];
  await page.route(`${store}/**`, (route) => {
    sent.push(route.request().method());
    return route.request().method() === "PUT" && lost-- > 0 ? route.abort() : route.continue();
  });
  await page.getByLabel("Your post").fill("From the store");
  await chooseFiles(page, red);
  await expect(getTiles(page).getByRole("button", { name: /ALT/ })).toBeVisible();
  expect(sent.filter((method) => method === "PUT")).toHaveLength(2);
  await post(page).click();
  const image = page
    .getByRole("article")
    .filter({ hasText: "From the store" })
    .locator("img[srcset]");
  await expect(image).toBeVisible();
  await expect
    .poll(() => image.evaluate((it: HTMLImageElement) => it.complete && it.naturalWidth))
    .toBeGreaterThan(0);
  const shown = await image.evaluate((it: HTMLImageElement) => new URL(it.currentSrc).origin);
  expect(shown).toBe(kith.url);
});
