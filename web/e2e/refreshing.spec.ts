import { ada, answer, beAda, bob, postOf } from "./invented";
import { expect, type Page, test } from "./test";

/** The addresses fetched from now on, without their queries. */
function watch(page: Page): string[] {
  const fetched: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" && pathname.startsWith("/api/")) fetched.push(pathname);
  });
  return fetched;
}

// proves: web-refresh
test("a follow and a new code fetch anew what they change", async ({ page }) => {
  await beAda(page, { invitesAvailable: 1 });
  await answer(page, "users/bob", { ...ada, ...bob });
  await answer(page, "follows/2/status", { isFollowing: false });
  await answer(page, "follows", { isFollowing: true });
  await page.goto("/profile/bob");
  const follow = page.getByRole("button", { name: "Follow @bob" });
  await expect(follow).toHaveText("Follow");
  await page.waitForLoadState("networkidle");
  const fetched = watch(page);
  await follow.click();
  await expect.poll(() => fetched).toContain("/api/users/bob");
  await expect.poll(() => fetched).toContain("/api/auth/me");

  await page.getByRole("link", { name: "Invites", exact: true }).locator("visible=true").click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  fetched.length = 0;
  await page.getByRole("button", { name: "Generate Invite Code", exact: true }).click();
  await expect.poll(() => fetched.toSorted()).toEqual(["/api/auth/me", "/api/invites"]);
});

// proves: composer-refreshes, web-refresh
test("a new post fetches the profile on screen anew", async ({ page }) => {
  await beAda(page);
  await answer(page, "posts", postOf("9", { author: ada }), 201);
  await page.goto("/profile/ada");
  await expect(page.getByText("No posts yet.", { exact: true })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const fetched = watch(page);
  await page.getByRole("button", { name: "New Post" }).locator("visible=true").click();
  const dialog = page.getByRole("dialog", { name: "Create Post", exact: true });
  await dialog.getByLabel("Your post").fill("Here I am");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await expect.poll(() => fetched.toSorted()).toEqual(["/api/users/ada", "/api/users/ada/posts"]);
});

// proves: web-refresh-later
test("a repost moves nothing under the reader", async ({ page }) => {
  const post = postOf("7");
  await beAda(page);
  await answer(page, "posts/feed?*", [post]);
  await answer(page, "posts", postOf("9", { repostOfId: "7", repostOf: post }), 201);
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  const fetched = watch(page);
  await page.getByRole("button", { name: "Repost", exact: true }).click();
  await expect(page.getByRole("button", { name: "Undo repost, 1", exact: true })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(fetched).toEqual([]);
  await page.getByRole("link", { name: "Invites", exact: true }).locator("visible=true").click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).locator("visible=true").click();
  await expect.poll(() => fetched).toContain("/api/posts/feed");
});
