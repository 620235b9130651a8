import {
  mockResponse,
  logInAsAda,
  expectError,
  expectRedirectToLogin,
  holdResponse,
  makePost,
  mockError,
  getToast,
} from "./mock-api";
import { expect, expectAccessible, type Page, post, test } from "./test";

test.use({ serverFor: "for-you" });

function because(id: string, code: string, message: string, name: string | null = null): object {
  return makePost(id, { reason: { code, message, name, others: null } });
}

function twentyFrom(first: number): object[] {
  return Array.from({ length: 20 }, (_, index) =>
    because(String(first + index), "new", "New on this network"),
  );
}

function longFrom(first: number): object[] {
  return Array.from({ length: 20 }, (_, index) => {
    const content = "Many words. ".repeat(4 * ((index * 7) % 12) + 1);
    return makePost(String(first + index), { content });
  });
}

async function openForYou(page: Page) {
  await page.goto("/");
  await page.getByRole("tab", { name: "For You", exact: true }).click();
  return page.getByRole("tabpanel");
}

// proves: home-tabs, home-foryou-why, call-get-for-you
test("the second tab shows the network's posts, each with its reason", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await mockResponse(page, "posts/for-you?*", [
    because("7", "following", "You follow Bob", "Bob"),
    because("8", "popular", "Popular on this network"),
  ]);
  await page.goto("/");
  const tabs = page.getByRole("tab");
  await expect(tabs).toHaveText(["Friends", "For You"]);
  await expect(tabs.first()).toHaveAttribute("aria-selected", "true");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(1);
  await tabs.first().press("ArrowRight");
  await expect(tabs.nth(1)).toBeFocused();
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(0).getByText("You follow Bob", { exact: true })).toBeVisible();
  await expect(cards.nth(1).getByText("Popular on Kith", { exact: true })).toBeVisible();
  await expectAccessible(page, "For You");
  // The Friends feed contains the same post.
  await tabs.first().click();
  await expect(cards).toHaveCount(1);
  await expect(page.getByText("You follow Bob", { exact: true })).toHaveCount(0);
});

test("the tab is in the URL, and is restored after a reload and Back", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/for-you?*", [because("8", "new", "New on this network")]);
  await mockResponse(page, "posts/8/thread", { post: makePost("8"), replies: [], ancestors: [] });
  await openForYou(page);
  await expect(page).toHaveURL("/?tab=for-you");
  await page.reload();
  await page.getByText("Post 8").click();
  await expect(page.getByRole("heading", { name: "Thread" })).toBeVisible();
  await page.getByRole("link", { name: "Back to home" }).click();
  await expect(page.getByRole("tab", { name: "For You" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("New on Kith", { exact: true })).toBeVisible();
});

// proves: home-foryou-empty
test("an empty tab can be refreshed", async ({ page }) => {
  await logInAsAda(page);
  const panel = await openForYou(page);
  const text = "No posts to show. Check back later for fresh content!";
  await expect(panel.getByText(text, { exact: true })).toBeVisible();
  await expectAccessible(page, "an empty For You");
  const refresh = panel.getByRole("button", { name: "Refresh", exact: true });
  await mockError(page, "posts/for-you?*", 503, "Kith is busy.");
  await refresh.click();
  await expectError(page, "Kith is busy.");
  await expect(panel.getByText(text, { exact: true })).toBeVisible();
  await mockResponse(page, "posts/for-you?*", [because("8", "new", "New on this network")]);
  await refresh.click();
  await expect(panel.getByText("Post 8")).toBeVisible();
});

// proves: home-friends-empty-action
test("an empty Friends feed links to Discover", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/");
  await page.getByRole("tabpanel").getByRole("link", { name: "Discover", exact: true }).click();
  await expect(page).toHaveURL("/discover");
});

// proves: home-load-more, home-load-more-appends, web-pages-by-cursor, home-update
test("it loads more pages, and a refresh starts with the first again", async ({ page }) => {
  await logInAsAda(page);
  const requested: string[] = [];
  await page.route("**/api/posts/for-you?*", (route) => {
    const { search } = new URL(route.request().url());
    requested.push(search);
    const link = '</api/posts/for-you?limit=20&cursor=5-120-20>; rel="next"';
    return search.includes("cursor")
      ? route.fulfill({ json: [because("120", "new", "New on this network")] })
      : route.fulfill({ json: twentyFrom(100), headers: { link } });
  });
  await openForYou(page);
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(20);
  const more = page.getByRole("button", { name: "Load more posts", exact: true });
  await more.click();
  await expect(cards).toHaveCount(21);
  await expect(more).toHaveCount(0);
  await page.getByRole("button", { name: "Update feed", exact: true }).click();
  await expect(page.getByText("Feed updated", { exact: true })).toBeAttached();
  await expect(cards).toHaveCount(20);
  await expect(more).toBeVisible();
  expect(requested).toEqual([
    "?limit=20&offset=0",
    "?limit=20&cursor=5-120-20",
    "?limit=20&offset=0",
  ]);
});

// Estimated heights of rows once left the button below the window, or moved it from under the pointer.
test("the button at the end of a list of long posts does not move under the pointer", async ({
  page,
}) => {
  await logInAsAda(page);
  await page.route("**/api/posts/for-you?*", (route) => {
    const link = '</api/posts/for-you?limit=20&cursor=5-120-20>; rel="next"';
    return route.request().url().includes("cursor")
      ? route.fulfill({ json: longFrom(120) })
      : route.fulfill({ json: longFrom(100), headers: { link } });
  });
  // A focused tab would handle the key End.
  await page.goto("/?tab=for-you");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(20);
  const more = page.getByRole("button", { name: "Load more posts", exact: true });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.keyboard.press("End");
  await expect(more).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
  await page.waitForFunction(() => innerHeight + scrollY >= document.documentElement.scrollHeight);
  const box = await more.boundingBox();
  if (!box) throw new Error("The button is not rendered.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  await expect(cards).toHaveCount(40);
});

test("it loads, fails and is retried", async ({ page }) => {
  await logInAsAda(page);
  const release = await holdResponse(page, "posts/for-you?*");
  const panel = await openForYou(page);
  await expect(panel.getByText("Loading...", { exact: true })).toBeAttached();
  await release([because("8", "new", "New on this network")]);
  await expect(panel.getByText("Post 8")).toBeVisible();
  await page.route("**/api/posts/for-you?*", (route) => route.abort());
  await page.reload();
  await expect(panel.getByRole("alert")).toContainText("Kith can't be reached right now.");
  await mockResponse(page, "posts/for-you?*", [because("9", "new", "New on this network")]);
  await panel.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(panel.getByText("Post 9")).toBeVisible();
});

// proves: error-401-toast, home-logged-out
test("without a session it redirects to the login", async ({ page }) => {
  await logInAsAda(page);
  await mockError(page, "posts/for-you?*", 401);
  await expectRedirectToLogin(page, () => openForYou(page));
  await expect(page.getByText("Please log in to see your feed.", { exact: true })).toBeVisible();
});

// proves: home-update
test("a feed that cannot be refreshed keeps its posts", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
  await expect(page.getByText("Post 7")).toBeVisible();
  await page.route("**/api/posts/feed?*", (route) => route.abort());
  await page.getByRole("button", { name: "Update feed", exact: true }).click();
  await expectError(page, "Failed to refresh the feed. Please try again.");
  await expect(page.getByText("Post 7")).toBeVisible();
  await expect(getToast(page)).toHaveCount(1);
});

// proves: web-refresh, composer-refreshes
test("a new post is in both feeds, with the reason", async ({ founder: page }) => {
  await page.getByRole("tab", { name: "For You" }).click();
  await expect(
    page.getByText("No posts to show. Check back later for fresh content!"),
  ).toBeVisible();
  await post(page, "For everybody");
  const card = page.getByRole("article").filter({ hasText: "For everybody" });
  await expect(card.getByText("Your own post", { exact: true })).toBeVisible();
  await page.getByRole("tab", { name: "Friends" }).click();
  await expect(card).toBeVisible();
  await expect(card.getByText("Your own post", { exact: true })).toHaveCount(0);
});
