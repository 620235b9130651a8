import { mockResponse, logInAsAda, bob, makePost } from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

const topics = [{ tag: "AI", category: "Technology", postCount: 3 }];
const because = {
  reason: { code: "follows_you", message: "Follows you", name: null, others: null },
};

async function open(page: Page, path: string, width: number) {
  await page.setViewportSize({ width, height: 900 });
  await logInAsAda(page, { unreadNotificationCount: 120 });
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await mockResponse(page, "trending?*", topics);
  await mockResponse(page, "users/suggested?*", [{ ...bob, ...because }]);
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

for (const [width, measure] of [
  [700, 612],
  [820, 620],
  [1_023, 620],
  [1_100, 620],
] as const) {
  // proves: shell-tablet, shell-new-post
  test(`at ${width} px the left column has icons only`, async ({ page }) => {
    await open(page, "/", width);
    const column = page.getByRole("banner").filter({ has: page.getByRole("navigation") });
    for (const name of ["Home", "Discover", "Notifications", "Invites", "Profile"]) {
      const link = column.getByRole("link", {
        name: new RegExp(`^(120 unread|99\\+ unread)? ?${name}`),
      });
      await expect(link).toHaveAttribute("title", name);
    }
    expect((await column.boundingBox())?.width).toBe(88);
    const main = await page.getByRole("main").boundingBox();
    expect(main?.width).toBeCloseTo(measure, 0);
    const button = column.getByRole("button", { name: "New Post", exact: true });
    await expect(button).toHaveAttribute("title", "New Post");
    const box = await button.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(main?.x ?? 0);
    await button.click();
    await expect(page.getByRole("dialog", { name: "Create Post" })).toBeVisible();
    await page.keyboard.press("Escape");
    await column.getByRole("button", { name: "Account menu of Ada Lovelace" }).click();
    await expect(page.getByRole("menuitem", { name: "Settings" })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Open menu" })).toHaveCount(0);
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);
  });
}

// proves: shell-tablet
test("the left column has labels if three whole columns fit", async ({ page }) => {
  await open(page, "/", 1_280);
  const link = page.getByRole("banner").getByRole("link", { name: "Discover", exact: true });
  await expect(link).toHaveText("Discover");
  expect((await link.boundingBox())?.width).toBeGreaterThan(150);
  await page.setViewportSize({ width: 1_279, height: 900 });
  await expect.poll(async () => (await link.boundingBox())?.width).toBe(48);
  await expectAccessible(page, "a tablet's column");
});

// proves: shell-rail
test("Discover shows no topics if the right column does", async ({ page }) => {
  await open(page, "/discover", 1_440);
  const rail = page.getByRole("complementary", { name: "More" });
  const topic = page.getByRole("link", { name: "Technology AI 3 posts" });
  await expect(rail.getByRole("heading")).toHaveText(["Trending", "Bring someone real"]);
  await expect(topic).toHaveCount(1);
  await expect(rail.getByRole("link", { name: "Technology AI 3 posts" })).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveCount(1);
  await page.setViewportSize({ width: 820, height: 900 });
  await expect(page.getByRole("main").getByRole("heading")).toHaveText([
    "Discover",
    "Trending",
    "Who to follow",
  ]);
  await expect(topic).toHaveCount(1);
});

for (const width of [320, 390, 820, 1_440]) {
  // proves: shell-unread-beside
  test(`at ${width} px the number of unread notifications is beside the bell`, async ({ page }) => {
    await open(page, "/", width);
    const link = page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: /Notifications/ });
    const badge = await link.getByText("99+").boundingBox();
    const bell = await link.locator("svg").boundingBox();
    if (!badge || !bell) throw new Error("The number or the bell is missing.");
    const isBeside = badge.x >= bell.x + bell.width - 0.5 || badge.x + badge.width <= bell.x;
    expect(isBeside).toBe(true);
    expect(badge.x + badge.width).toBeLessThanOrEqual(width);
  });
}
