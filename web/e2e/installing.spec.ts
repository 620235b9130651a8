import { logInAsAda, mockResponse } from "./mock-api";
import { expect, test } from "./test";

interface Manifest {
  icons: { src: string; sizes: string; purpose?: string }[];
  shortcuts: { name: string; url: string }[];
  screenshots: { src: string; sizes: string; form_factor: string }[];
}

// proves: manifest
test("a browser can install Kith", async ({ page }) => {
  await page.goto("/");
  const path = await page.locator("link[rel=manifest]").getAttribute("href");
  const response = await page.request.get(path ?? "");
  expect(response.headers()["content-type"]).toBe("application/manifest+json");
  const manifest = (await response.json()) as Manifest;
  expect(manifest).toMatchObject({ name: "Kith", start_url: "/", display: "standalone" });
  expect(manifest).toMatchObject({ id: "/", scope: "/" });
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
  expect(manifest.icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
  for (const formFactor of ["narrow", "wide"]) {
    const shot = manifest.screenshots.find((it) => it.form_factor === formFactor);
    const file = await page.request.get(shot?.src ?? "");
    expect(file.headers()["content-type"]).toBe("image/webp");
    expect((await file.body()).length).toBeLessThan(100_000);
  }
  const devtools = await page.context().newCDPSession(page);
  expect((await devtools.send("Page.getAppManifest")).errors).toEqual([]);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Tests run in private windows, from which nothing can be installed.
  const ids = installabilityErrors.map(({ errorId }) => errorId);
  expect(ids.filter((id) => id !== "in-incognito")).toEqual([]);
});

// proves: manifest-shortcuts
test("the icon of the installed app has shortcuts to the composer, notifications and Discover", async ({
  page,
}) => {
  await logInAsAda(page);
  await mockResponse(page, "notifications?*", []);
  await page.goto("/");
  const response = await page.request.get("/manifest.webmanifest");
  const { shortcuts } = (await response.json()) as Manifest;
  expect(shortcuts.map(({ name }) => name)).toEqual(["New post", "Notifications", "Discover"]);
  const [compose, notifications, discover] = shortcuts.map(({ url }) => url);
  await page.goto(compose ?? "");
  await expect(page.getByRole("dialog", { name: "Create Post" })).toBeVisible();
  await expect(page).toHaveURL("/");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  for (const [url, title] of [
    [notifications, "Notifications"],
    [discover, "Discover"],
  ] as const) {
    await page.goto(url ?? "");
    await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
  }
});
