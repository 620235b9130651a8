import {
  ada,
  mockResponse,
  logInAsAda,
  bob,
  expectError,
  holdResponse,
  makePost,
  mockError,
} from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

const desk = { width: 1_440, height: 900 };
const dana = { ...ada, id: "5", username: "dana", displayName: "Dana" };
const because = {
  reason: { code: "follows_you", message: "Follows you", name: null, others: null },
};

async function openHome(page: Page) {
  await page.setViewportSize(desk);
  await logInAsAda(page);
  await mockResponse(page, "trending?*", [{ tag: "AI", category: "Technology", postCount: 3 }]);
  await mockResponse(page, "users/suggested?*", [
    { ...dana, ...bob, ...because },
    { ...dana, ...because },
  ]);
  await page.goto("/");
  return page.getByRole("complementary", { name: "More" });
}

function recordPaths(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

// proves: shell-rail
test("a wide screen has a short Discover in the right column, but not beside Discover", async ({
  page,
}) => {
  const rail = await openHome(page);
  await expect(rail.getByRole("heading")).toHaveText([
    "Trending",
    "Who to follow",
    "Bring someone real",
  ]);
  await expect(rail.getByRole("link", { name: "Technology AI 3 posts" })).toBeVisible();
  await expect(rail.getByRole("listitem").filter({ hasText: "@dana" })).toContainText(
    "Follows you",
  );
  await expectAccessible(page, "the right column");
  await page.setViewportSize(desk);
  await rail.getByRole("link", { name: "Discover more people" }).click();
  await expect(page).toHaveURL("/discover");
  await expect(rail.getByRole("heading")).toHaveText(["Trending", "Bring someone real"]);
  await expect(page.getByRole("searchbox")).toHaveCount(1);
});

// proves: shell-rail-later
test("the right column loads after the feed, and a small screen has none", async ({ page }) => {
  await page.setViewportSize(desk);
  await logInAsAda(page);
  const release = await holdResponse(page, "posts/feed?*");
  const paths = recordPaths(page);
  await page.goto("/");
  const rail = page.getByRole("complementary", { name: "More" });
  await expect(rail.getByRole("searchbox")).toBeVisible();
  await expect(page.getByRole("tabpanel").getByText("Loading...")).toBeAttached();
  await expect.poll(() => paths).toContain("/api/posts/feed");
  const learned = page.waitForResponse("**/api/trending?*");
  await release([makePost("7")]);
  await learned;
  const first = (path: string) => paths.indexOf(path);
  expect(first("/api/trending")).toBeGreaterThan(first("/api/posts/feed"));

  await page.setViewportSize({ width: 1_023, height: 900 });
  await expect(rail).toHaveCount(0);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  paths.length = 0;
  await page.reload();
  await expect(page.getByText("Post 7")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(paths).not.toContain("/api/trending");
  expect(paths).not.toContain("/api/users/suggested");
});

// proves: discover-search-key
test("its search opens Discover, and the key / focuses it", async ({ page }) => {
  const rail = await openHome(page);
  await mockResponse(page, "users/search?*", [dana]);
  await page.getByRole("heading", { name: "Home", exact: true }).click();
  await page.keyboard.press("/");
  await expect(rail.getByRole("searchbox")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await page.keyboard.type("da na");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/discover?q=da+na");
  await expect(page.getByRole("main").getByRole("searchbox")).toHaveValue("da na");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveText([/@dana/]);
  await expect(page.getByRole("main")).toBeFocused();
});

// proves: follow-cards, follow-texts, follow-everywhere
test("a followed suggestion stays until the next page, and is followed everywhere", async ({
  page,
}) => {
  const rail = await openHome(page);
  await mockResponse(page, "follows", { isFollowing: true });
  await mockResponse(page, "users/bob", { ...dana, ...bob });
  const row = rail.getByRole("listitem").filter({ hasText: "@bob" });
  await row.getByRole("button", { name: "Follow @bob" }).click();
  await expect(row.getByRole("button", { name: "Following @bob" })).toHaveText("Following");
  await page.waitForLoadState("networkidle");
  await expect(row).toBeVisible();
  await mockResponse(page, "users/suggested?*", [{ ...dana, ...because }]);
  await row.getByRole("link", { name: "Bob" }).click();
  await expect(row).toHaveCount(0);
  await expect(rail.getByRole("listitem").filter({ hasText: "@dana" })).toBeVisible();
  const there = page.getByRole("main").getByRole("button", { name: "Following @bob" });
  await expect(there).toHaveText("Following");
});

// proves: follow-failed
test("a failed follow is reverted everywhere", async ({ page }) => {
  const rail = await openHome(page);
  await mockError(page, "follows", 503);
  const follow = rail.getByRole("button", { name: "Follow @dana" });
  await follow.click();
  await expectError(page, "Failed to update follow status. Please try again.");
  await expect(follow).toHaveText("Follow");
});
