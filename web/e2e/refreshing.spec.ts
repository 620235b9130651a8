import { ada, mockResponse, logInAsAda, bob, makePost } from "./mock-api";
import { mockPages, loadRows, getTop } from "./long-list";
import { expect, type Page, test } from "./test";

/** What a page requests after its first screen, on a busy machine at any time. */
const LATE_PATHS = new Set([
  "/api/auth/me",
  "/api/events",
  "/api/notifications",
  "/api/trending",
  "/api/users/suggested",
]);
const withoutLate = (paths: string[]) => paths.filter((path) => !LATE_PATHS.has(path)).toSorted();

/** Collects the paths fetched from now on, without their queries. */
function watch(page: Page): string[] {
  const fetched: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" && pathname.startsWith("/api/")) fetched.push(pathname);
  });
  return fetched;
}

function linkTo(page: Page, name: string) {
  return page.getByRole("link", { name, exact: true }).locator("visible=true");
}

// proves: web-refresh
test("a follow and a new invite code refetch the affected queries", async ({ page }) => {
  await logInAsAda(page, { invitesAvailable: 1 });
  await mockResponse(page, "users/bob", { ...ada, ...bob });
  await mockResponse(page, "follows/2/status", { isFollowing: false });
  await mockResponse(page, "follows", { isFollowing: true });
  await page.goto("/profile/bob");
  const follow = page.getByRole("button", { name: "Follow @bob" });
  await expect(follow).toHaveText("Follow");
  const fetched = watch(page);
  await follow.click();
  await expect.poll(() => fetched).toContain("/api/users/bob");
  await expect.poll(() => fetched).toContain("/api/auth/me");

  const invites = page.waitForResponse("**/api/invites");
  await linkTo(page, "Invites").click();
  await invites;
  fetched.length = 0;
  await page.getByRole("button", { name: "Generate Invite Code", exact: true }).click();
  await expect.poll(() => fetched).toContain("/api/auth/me");
  await expect.poll(() => withoutLate(fetched)).toEqual(["/api/invites"]);
});

// proves: composer-refreshes, web-refresh
test("a new post refetches the profile on screen", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts", makePost("9", { author: ada }), 201);
  await page.goto("/profile/ada");
  await expect(page.getByText("No posts yet.", { exact: true })).toBeVisible();
  const fetched = watch(page);
  await page.getByRole("button", { name: "New Post" }).locator("visible=true").click();
  const dialog = page.getByRole("dialog", { name: "Create Post", exact: true });
  await dialog.getByLabel("Your post").fill("Here I am");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  const refetched = ["/api/users/ada", "/api/users/ada/posts"];
  await expect.poll(() => withoutLate(fetched)).toEqual(refetched);
});

// proves: web-refresh-later
test("a repost does not move the content", async ({ page }) => {
  const post = makePost("7");
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [post]);
  await mockResponse(page, "posts", makePost("9", { repostOfId: "7", repostOf: post }), 201);
  await page.goto("/");
  const repost = page.getByRole("button", { name: "Repost", exact: true });
  await expect(repost).toBeVisible();
  const fetched = watch(page);
  await repost.click();
  await expect(page.getByRole("button", { name: "Undo repost, 1", exact: true })).toBeVisible();
  expect(withoutLate(fetched)).toEqual([]);
  await linkTo(page, "Invites").click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  expect(fetched).not.toContain("/api/posts/feed");
  await linkTo(page, "Home").click();
  await expect.poll(() => fetched).toContain("/api/posts/feed");
});

// proves: web-refresh-first-page
test("a new post refetches one page of many", async ({ page }) => {
  await logInAsAda(page);
  const feed = await mockPages(page, "posts/feed");
  await mockResponse(page, "posts", makePost("2000", { author: ada }), 201);
  await page.goto("/");
  await loadRows(page, 80);
  feed.requests.length = 0;
  await page.getByLabel("Your post").fill("Here I am");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByRole("article")).toHaveCount(20);
  expect(feed.requests).toEqual(["?limit=20&offset=0"]);
  await loadRows(page, 40);
  await expect(page.getByRole("article").nth(39)).toContainText("Post 1060.");
});

// proves: web-refresh-far-down, web-refresh-first-page
test("a follow far down a feed does not move the content, and applies at the next visit", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await logInAsAda(page);
  const feed = await mockPages(page, "posts/feed");
  await mockResponse(page, "users/suggested?*", [
    {
      ...ada,
      ...bob,
      reason: { code: "new", message: "New on this network", name: null, others: null },
    },
  ]);
  await mockResponse(page, "follows", { isFollowing: true });
  await page.goto("/");
  await loadRows(page, 60);
  const before = await getTop(page, 1045);
  feed.requests.length = 0;
  const follow = page.getByRole("button", { name: "Follow @bob" });
  const refreshed = page.waitForResponse("**/api/auth/me");
  await follow.click();
  await refreshed;
  expect(feed.requests).toEqual([]);
  expect(await getTop(page, 1045)).toBe(before);
  await linkTo(page, "Invites").click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("article")).toHaveCount(60);
  await expect.poll(() => getTop(page, 1045)).toBe(before);
  await linkTo(page, "Invites").click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  expect(feed.requests).toEqual([]);
  await linkTo(page, "Home").click();
  await expect(page.getByRole("article")).toHaveCount(20);
  expect(feed.requests).toEqual(["?limit=20&offset=0"]);
});
