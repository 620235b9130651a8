import { expectError, expectToast } from "./mock-api";
import { expect, expectAccessible, post, test } from "./test";

// The last of these tests ends the founder's session.
test.use({ serverFor: "member" });

// proves: card-like, card-repost, card-repost-line, repost-key
test("likes and reposts show immediately and persist", async ({ founder: page }) => {
  await post(page, "Something to like");
  const card = page.getByRole("article").filter({ hasText: "Something to like" }).first();
  await card.getByRole("button", { name: /^Like/ }).click();
  const unlike = card.getByRole("button", { name: "Unlike, 1" });
  await expect(unlike).toHaveAttribute("aria-pressed", "true");
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/posts"));
  await card.getByRole("button", { name: "Repost" }).click();
  expect((await sent).headers()["idempotency-key"]).toMatch(/^[!-~]{20,100}$/);
  await expect(card.getByRole("button", { name: "Undo repost, 1" })).toBeVisible();
  await (await sent).response();
  await page.reload();
  await expect(card.getByRole("button", { name: "Unlike, 1" })).toBeVisible();
  await expect(page.getByText("reposted")).toBeVisible();
});

test("a rejected like is reverted", async ({ founder: page }) => {
  await post(page, "A like of this fails");
  await page.route("**/api/posts/*/like", (route) => route.fulfill({ status: 500, body: "no" }));
  const card = page.getByRole("article").filter({ hasText: "A like of this fails" }).first();
  await card.getByRole("button", { name: /^Like/ }).click();
  await expectError(page, "Failed to update like. Please try again.");
  await expect(card.getByRole("button", { name: "Like", exact: true })).toBeVisible();
});

test("a draft survives failure and reload, and is sent once", async ({ founder: page }) => {
  const keys: (string | undefined)[] = [];
  await page.route("**/api/posts", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length === 1) await route.fulfill({ status: 503, body: "" });
    else await route.continue();
  });
  await page.getByLabel("Your post").fill("Keep this safe");
  await page.keyboard.press("Control+Enter");
  await expectError(page, "Failed to create post. Please try again.");
  await page.reload();
  await expect(page.getByLabel("Your post")).toHaveValue("Keep this safe");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expectToast(page, "Post created", "Your post has been shared successfully.");
  await expect(page.getByLabel("Your post")).toHaveValue("");
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[!-~]{20,100}$/);
  expect(keys[1]).toBe(keys[0]);
});

// proves: composer-poll-placeholder, composer-poll-add, card-vote, card-poll-percent
test("a poll is written and voted in", async ({ founder: page }) => {
  await page.getByLabel("Your post").fill("Tea or coffee?");
  await page.getByRole("button", { name: "Add poll" }).click();
  await page.getByPlaceholder("Option 1").fill("Tea");
  await page.getByPlaceholder("Option 2").fill("Coffee");
  await page.getByRole("button", { name: "Add option" }).click();
  await page.getByRole("button", { name: "Add option" }).click();
  await expect(page.getByRole("button", { name: "Add option" })).toBeHidden();
  await page.getByRole("button", { name: "Post", exact: true }).click();
  const card = page.getByRole("article").filter({ hasText: "Tea or coffee?" });
  await expect(card.getByText("0 votes")).toBeVisible();
  await card.getByRole("button", { name: /^Tea/ }).click();
  await expect(card.getByText("100%")).toBeVisible();
  await expect(card.getByText(/1 vote · Expires in 1 day/)).toBeVisible();
  await card.getByRole("button", { name: /^Coffee/ }).click();
  await expect(card.getByRole("button", { name: /^Coffee/ })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

// proves: route-post, thread-title, thread-back, thread-reply, thread-missing
// proves: shell-compose-dialog
test("a thread opens, takes a reply, and Back restores the scroll position", async ({
  founder: page,
}) => {
  await post(page, "Start of a conversation");
  await page.getByText("Start of a conversation").click();
  await expect(page.getByRole("heading", { name: "Thread" })).toBeVisible();
  await page.getByRole("button", { name: "Write your reply" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Post" });
  await dialog.getByLabel("Your reply").fill("And its answer");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("article").filter({ hasText: "And its answer" })).toBeVisible();
  await page.getByRole("link", { name: "Back to home" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/post/1");
  await expect(page.getByText("Post not found")).toBeVisible();
});

// proves: thread-tombstone
test("a deleted reply leaves a placeholder while it has replies", async ({ founder: page }) => {
  const write = async (content: string, replyToId = "") => {
    const response = await page.request.post("/api/posts", { data: { content, replyToId } });
    return ((await response.json()) as { id: string }).id;
  };
  const root = await write("A thread with a hole");
  const reply = await write("Soon gone", root);
  await write("The answer stays", reply);
  expect((await page.request.delete(`/api/posts/${reply}`)).status()).toBe(204);
  await page.goto(`/post/${root}`);
  await expect(page.getByText("This post was deleted.")).toBeVisible();
  await expect(page.getByText("The answer stays")).toBeVisible();
  await expect(page.getByText("Soon gone")).toBeHidden();
  await expectAccessible(page, "a thread with a tombstone");
  await page.goto(`/post/${reply}`);
  await expect(page.getByText("This post was deleted.")).toBeVisible();
  await expect(page.getByText("Write your reply")).toBeHidden();
});

// proves: home-load-more-appends
test("the feed loads more, and Back restores the scroll position", async ({ founder: page }) => {
  await page.evaluate(async () => {
    for (let number = 1; number <= 21; number += 1) {
      await fetch("/api/posts", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ content: `Filler ${number}` }),
      });
    }
  });
  await page.reload();
  const posts = page.getByRole("article");
  await expect(posts).toHaveCount(20);
  await page.getByRole("button", { name: "Load more posts" }).click();
  const last = posts.filter({ has: page.getByText("Filler 1", { exact: true }) });
  await expect(last).toBeVisible();
  await last.scrollIntoViewIfNeeded();
  await page.waitForTimeout(100);
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(500);
  await last.getByRole("time").click();
  await expect(page.getByRole("heading", { name: "Thread" })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole("link", { name: "Back to home" }).click();
  await expect(last).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
  await page.reload();
  await expect(last).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
});

test("the app can be used with the keyboard only", async ({ founder: page }) => {
  await post(page, "Reach me by keyboard");
  await page.getByRole("heading", { name: "Home" }).click();
  await page.keyboard.press("j");
  const card = page.getByRole("article").first();
  await expect(card).toBeFocused();
  await page.keyboard.press("l");
  await expect(card.getByRole("button", { name: "Unlike, 1" })).toBeVisible();
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog").getByLabel("Your reply")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Thread" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

// proves: route-invites
test("invite codes", async ({ founder: page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/invites");
  await page.getByRole("button", { name: "Generate Invite Code" }).click();
  await expectToast(page, "Invite created");
  // The new code may be added to the top of the list late, above the one that is copied.
  const codes = page.getByRole("region", { name: "Active Invites" });
  await codes.getByRole("button", { name: "Copy" }).first().click();
  await expect(codes.getByRole("button", { name: "Copied" })).toBeVisible();
  await expect(codes.getByRole("button", { name: "Copied" })).toBeHidden();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[A-Z2-9]{12}$/);
});

// proves: theme-toggle, route-404
test("the theme persists, and unknown URLs show a message", async ({ founder: page }) => {
  await page.getByRole("button", { name: "Switch to dark theme" }).locator("visible=true").click();
  await expect(page.locator("html")).toHaveClass(/dark/);
  await page.reload();
  await expect(page.locator("html")).toHaveClass(/dark/);
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
});

test("the pages for members are accessible", async ({ founder: page }) => {
  test.slow();
  const me: { username: string } = await (await page.request.get("/api/auth/me")).json();
  await expectAccessible(page, "home");
  await page.getByRole("article").first().getByRole("time").click();
  await expect(page.getByRole("heading", { name: "Thread" })).toBeVisible();
  await expectAccessible(page, "thread");
  await page.goto(`/profile/${me.username}`);
  await expect(page.getByRole("tab", { name: "Posts" })).toBeVisible();
  await expectAccessible(page, "profile");
  await page.goto("/invites");
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  await expectAccessible(page, "invites");
  await page.goto("/");
  await page.getByRole("button", { name: "New Post" }).locator("visible=true").click();
  await expectAccessible(page, "compose dialog");
});

// proves: logout, shell-user-menu
test("a logout deletes everything in the browser", async ({ founder: page }) => {
  await page
    .getByRole("button", { name: /^Account menu/ })
    .locator("visible=true")
    .click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await page.goto("/invites");
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
});
