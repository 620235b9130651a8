import { ada, mockResponse, logInAsAda, bob, expectError, makePost, twoHoursAgo } from "./mock-api";
import { mockPages, loadRows } from "./long-list";
import { expect, type Page, test } from "./test";

const phone = { width: 390, height: 800 };
const getScrollTop = (page: Page) => page.evaluate(() => scrollY);
const nav = (page: Page, name: string) =>
  page.getByRole("link", { name, exact: true }).locator("visible=true").first();

/** Links to Home on Home, each with a width at which it is visible. */
const waysHome: [string, number, (page: Page) => Promise<void>][] = [
  ["link", 1100, (page) => nav(page, "Home").click()],
  ["logo", 1100, (page) => nav(page, "Kith, home").click()],
  ["logo on a phone", phone.width, (page) => nav(page, "Kith, home").click()],
  ["bottom bar", phone.width, (page) => nav(page, "Home").click()],
  [
    "key",
    1100,
    async (page) => {
      await page.keyboard.press("g");
      await page.keyboard.press("h");
    },
  ],
];

for (const [name, width, goHome] of waysHome) {
  // proves: again-top, again-refresh
  test(`on Home the ${name} scrolls to the top and then refreshes`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await logInAsAda(page);
    const feed = await mockPages(page, "posts/for-you");
    await page.goto("/?tab=for-you");
    await loadRows(page, 60);
    feed.requests.length = 0;
    feed.add(1);
    await goHome(page);
    await expect.poll(() => getScrollTop(page)).toBe(0);
    expect(feed.requests).toEqual([]);
    await expect(page.getByRole("article")).toHaveCount(60);
    await goHome(page);
    await expect(page.getByRole("article").first()).toContainText("Post 1100.");
    await expect(page.getByRole("article")).toHaveCount(20);
    await expect(page.getByText("Page updated")).toBeAttached();
    expect(feed.requests).toEqual(["?limit=20&offset=0"]);
    await expect(page).toHaveURL("/?tab=for-you");
    expect(await page.evaluate(() => history.length), "no entry for the same page").toBe(2);
  });
}

const notificationOf = (id: string) => ({
  id,
  type: "follow",
  isRead: true,
  createdAt: twoHoursAgo,
  actor: bob,
  post: null,
});

// proves: again-refresh, notifications-newest
test("every link to notifications fetches them again", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "notifications?*", []);
  await page.goto("/notifications");
  await expect(page.getByText("No notifications yet", { exact: true })).toBeVisible();
  await mockResponse(page, "notifications?*", [notificationOf("5")]);
  await nav(page, "Notifications").click();
  await expect(page.getByText("followed you")).toBeVisible();
  await nav(page, "Invites").click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  await mockResponse(page, "notifications?*", []);
  await nav(page, "Notifications").click();
  await expect(page.getByText("No notifications yet", { exact: true })).toBeVisible();
});

// proves: again-refresh
test("links to Discover and the viewer's profile fetch them again, too", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/discover");
  await expect(page.getByText("No suggestions available.")).toBeVisible();
  await mockResponse(page, "users/suggested?*", [
    {
      ...ada,
      ...bob,
      reason: { code: "new", message: "New on this network", name: null, others: null },
    },
  ]);
  await mockResponse(page, "follows/2/status", { isFollowing: false });
  await nav(page, "Discover").click();
  await expect(page.getByRole("link", { name: "Bob", exact: true })).toBeVisible();

  await nav(page, "Profile").click();
  await expect(page.getByText("No posts yet.", { exact: true })).toBeVisible();
  await mockResponse(page, "users/ada", { ...ada, bio: "Second of all." });
  await mockResponse(page, "users/ada/posts?*", [makePost("9", { author: ada })]);
  await nav(page, "Profile").click();
  await expect(page.getByText("Post 9")).toBeVisible();
  await expect(page.getByText("Second of all.")).toBeVisible();
});

// proves: again-top
test("from a search the link to Discover resets it", async ({ page }) => {
  await page.setViewportSize({ width: 1100, height: 300 });
  await logInAsAda(page);
  await mockResponse(page, "follows/2/status", { isFollowing: false });
  const found = Array.from({ length: 9 }, (_, index) => ({ ...ada, ...bob, id: `1${index}` }));
  await mockResponse(page, "users/search?*", found);
  await page.goto("/discover?q=bob");
  await page.getByRole("main").getByRole("link", { name: "Bob" }).last().scrollIntoViewIfNeeded();
  await expect.poll(() => getScrollTop(page)).toBeGreaterThan(0);
  await nav(page, "Discover").click();
  await expect(page).toHaveURL("/discover");
  await expect(page.getByText("No suggestions available.")).toBeAttached();
  await expect.poll(() => getScrollTop(page)).toBe(0);
});

// proves: again-failed
test("a page that cannot be refreshed shows a notice and keeps its content", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
  await expect(page.getByText("Post 7")).toBeVisible();
  await page.route("**/api/posts/feed?*", (route) => route.abort());
  await nav(page, "Home").click();
  await expectError(page, "Failed to refresh the page. Please try again.");
  await expect(page.getByText("Post 7")).toBeVisible();
});
