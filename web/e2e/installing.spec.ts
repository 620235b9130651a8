import { expect, test } from "./test";

// proves: manifest
test("a browser can install Kith", async ({ page }) => {
  await page.goto("/");
  const path = await page.locator("link[rel=manifest]").getAttribute("href");
  const response = await page.request.get(path ?? "");
  expect(response.headers()["content-type"]).toBe("application/manifest+json");
  const manifest = (await response.json()) as { icons: { src: string; sizes: string }[] };
  expect(manifest).toMatchObject({ name: "Kith", start_url: "/", display: "standalone" });
  for (const size of [192, 512]) {
    const icon = manifest.icons.find(({ sizes }) => sizes === `${size}x${size}`);
    const width = await page.evaluate(async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return image.naturalWidth;
    }, icon?.src ?? "");
    expect(width).toBe(size);
  }
});
