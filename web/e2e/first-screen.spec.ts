import { logInAsAda, holdResponse, makePost } from "./mock-api";
import { expect, type Page, test } from "./test";

const sizes = [
  { width: 390, height: 800 },
  { width: 820, height: 1000 },
  { width: 1440, height: 900 },
];

/** Holds the app's scripts back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release: (() => void) | undefined;
  const released = new Promise<void>((done) => (release = done));
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.continue();
  });
  return () => release?.();
}

/** Stores that a member was logged in before. */
async function hint(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem("kith:member", "1"));
}

const paints = () => performance.getEntriesByName("first-contentful-paint").length;

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "commit" });
  await expect.poll(() => page.evaluate(paints), "painted before a script has come").toBe(1);
}

/** The visible text of the page, also of inert elements. */
const seen = (page: Page, selector: string) => page.locator(selector).filter({ visible: true });
const getNavLink = (page: Page, name: string) =>
  seen(page, "nav a").filter({ hasText: new RegExp(`^${name}$`) });

// proves: first-screen-member, first-screen-status
test("a member sees the navigation and skeletons of posts before scripts are loaded", async ({
  page,
}) => {
  await hint(page);
  await holdScripts(page);
  for (const size of sizes) {
    await page.setViewportSize(size);
    await open(page, "/");
    await expect(seen(page, "main h1")).toHaveText("Home");
    await expect(getNavLink(page, "Notifications")).toHaveCount(1);
    await expect(seen(page, "main .animate-breathe").first()).toBeInViewport();
    await expect(page.getByRole("status")).toHaveText("Loading...");
    // No control can be used yet.
    await expect(page.getByRole("link")).toHaveCount(0);
    await expect(page.getByRole("button")).toHaveCount(0);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await open(page, "/notifications");
    await expect(getNavLink(page, "Notifications")).toHaveCount(1);
    await expect(seen(page, "main h1")).toHaveCount(0);
  }
});

// proves: first-screen-theme
test("the first screen has the theme", async ({ page }) => {
  await hint(page);
  await holdScripts(page);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, "/");
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, "/");
  const dark = await paper();
  expect(dark).not.toBe(light);
  await page.addInitScript(() => localStorage.setItem("vite-ui-theme", "light"));
  await open(page, "/");
  expect(await paper()).toBe(light);
});

// proves: first-screen-visitor
test("a visitor sees no navigation of members", async ({ page }) => {
  const release = await holdScripts(page);
  await open(page, "/");
  await expect(page.getByRole("status")).toHaveText("Loading...");
  await expect(seen(page, "#root nav")).toHaveCount(0);
  await expect(seen(page, "#root h1")).toHaveCount(0);
  release();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
});

// proves: first-screen-visitor
test("a wrong session hint ends on the landing page", async ({ page }) => {
  await hint(page);
  const release = await holdScripts(page);
  await open(page, "/");
  await expect(getNavLink(page, "Home")).toHaveCount(1);
  release();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expect(seen(page, "nav")).toHaveCount(0);
});

// proves: first-screen-session
test("a session is enough for a member's first screen", async ({ founder: page }) => {
  await page.evaluate(() => localStorage.clear());
  const release = await holdScripts(page);
  const feed = page.waitForRequest("**/api/posts/feed?*");
  await open(page, "/");
  await expect(seen(page, "main h1")).toHaveText("Home");
  await feed;
  release();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
});

for (const size of sizes) {
  // proves: first-screen-still
  test(`the app replaces the first screen without a layout shift, at ${size.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await logInAsAda(page);
    await hint(page);
    const answerFeed = await holdResponse(page, "posts/feed?*");
    const release = await holdScripts(page);
    await open(page, "/");
    const boxes = async () => {
      const parts = [
        seen(page, "main"),
        seen(page, "main h1"),
        seen(page, "main textarea"),
        getNavLink(page, "Discover"),
        seen(page, "main .animate-breathe").first(),
      ];
      // Before fonts are loaded, texts are slightly wider or narrower.
      await page.evaluate(() => document.fonts.ready);
      return Promise.all(parts.map((part) => part.boundingBox()));
    };
    const before = await boxes();
    expect(before).not.toContain(null);
    release();
    await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
    expect(await boxes()).toEqual(before);
    await answerFeed([makePost("7")]);
    await expect(page.getByRole("article")).toHaveCount(1);
  });
}
