import {
  ada,
  mockResponse,
  logInAsAda,
  expectError,
  expectRedirectToLogin,
  expectToast,
  holdResponse,
  makePost,
  mockError,
} from "./mock-api";
import { expect, expectAccessible, type Page, post, test } from "./test";

const byAda = { author: ada };

async function openFeed(page: Page, ...posts: object[]) {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", posts);
  await page.goto("/");
  await expect(page.getByRole("article")).toHaveCount(posts.length);
}

function partsOf(page: Page) {
  const menu = page.getByRole("menu");
  const question = page.getByRole("alertdialog");
  const more = (text: string) =>
    page
      .getByRole("article")
      .filter({ hasText: text })
      .getByRole("button", { name: "More", exact: true });
  const item = (name: string) => menu.getByRole("menuitem", { name, exact: true });
  const button = (name: string) => question.getByRole("button", { name, exact: true });
  return { menu, question, more, item, button };
}

async function askToDelete(page: Page, text: string) {
  const { more, item, question } = partsOf(page);
  await more(text).click();
  await item("Delete").click();
  await expect(question).toBeVisible();
}

// proves: card-hashtag
test("a hashtag links to its posts, except in a quoted post", async ({ page }) => {
  const content = "🌍 #Café with @bob, not #this";
  const hashtags = [{ tag: "cafe", start: 3, end: 8 }];
  await openFeed(page, makePost("7", { content, hashtags }));
  const card = page.getByRole("article");
  await expect(card.getByRole("link", { name: "#this" })).toHaveCount(0);
  await card.getByRole("button", { name: "Reply", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Create Post", exact: true });
  await expect(dialog.getByText("#Café", { exact: true })).toBeVisible();
  await expect(dialog.getByRole("link")).toHaveCount(0);
  await page.keyboard.press("Escape");
  const requested = page.waitForRequest("**/api/hashtags/cafe/posts?*");
  await card.getByRole("link", { name: "#Café", exact: true }).click();
  await requested;
  await expect(page).toHaveURL("/tag/cafe");
});

// proves: card-menu
test("the menu copies a link, and deletes only the viewer's posts", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openFeed(page, makePost("7"), makePost("8", byAda));
  const { more, item, menu } = partsOf(page);
  await more("Post 8").click();
  await expect(menu.getByRole("menuitem")).toHaveText(["Copy link", "Mute conversation", "Delete"]);
  await page.keyboard.press("Escape");
  await expect(more("Post 8")).toBeFocused();
  await more("Post 7").click();
  await expect(menu.getByRole("menuitem")).toHaveText([
    "Copy link",
    "Mute conversation",
    "Mute @bob",
    "Block @bob",
    "Report",
  ]);
  await item("Copy link").click();
  await expectToast(page, "Copied", "The link to this post is on your clipboard.");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(copied).pathname).toBe("/post/7");
  await expect(page).toHaveURL("/");
});

// proves: card-delete, card-delete-asks, card-deleted, call-delete-post
test("the viewer's post is deleted by keyboard after a confirmation", async ({ page }) => {
  await openFeed(page, makePost("9", byAda), makePost("8"), makePost("7"));
  const { more, item, button, question } = partsOf(page);
  let calls = 0;
  page.on("request", (request) => (calls += Number(request.method() === "DELETE")));
  await more("Post 9").focus();
  await page.keyboard.press("Enter");
  await expect(item("Copy link")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item("Mute conversation")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item("Delete")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(question).toHaveAccessibleName("Delete this post?");
  await expect(question).toHaveAccessibleDescription(/disappears for everyone/);
  await expect(button("Cancel")).toBeFocused();
  await page.keyboard.press("l");
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(more("Post 9")).toBeFocused();
  expect(calls).toBe(0);

  const release = await holdResponse(page, "posts/9");
  await askToDelete(page, "Post 9");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(button("Deleting...")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(question).toBeVisible();
  await release();
  await expectToast(page, "Post deleted");
  await expect(question).toBeHidden();
  await expect(page.getByRole("article")).toHaveCount(2);
  await expect(page.getByRole("article").first()).toBeFocused();
  expect(calls).toBe(1);
});

// proves: card-delete-failed
test("a post that cannot be deleted stays", async ({ page }) => {
  await openFeed(page, makePost("9", byAda));
  const { button, question, more } = partsOf(page);
  await mockError(page, "posts/9", 503);
  await askToDelete(page, "Post 9");
  await button("Delete").click();
  await expectError(page, "Failed to delete post. Please try again.");
  await page.route("**/api/posts/9", (route) => route.abort());
  await button("Delete").click();
  await expectError(page, "Failed to delete post. Please try again.");
  await button("Cancel").click();
  await expect(question).toBeHidden();
  await expect(more("Post 9")).toBeFocused();
  await expect(page.getByRole("article").getByText("Post 9", { exact: true })).toBeVisible();
});

// proves: card-deleted, card-delete-asks, thread-tombstone, thread-delete, card-menu
test("a deleted reply leaves a placeholder in its thread, and a deleted post leaves the thread", async ({
  founder: page,
}) => {
  const { button, question } = partsOf(page);
  await post(page, "A thread to prune");
  const write = async (content: string, replyToId: string) => {
    const answered = await page.request.post("/api/posts", { data: { content, replyToId } });
    return ((await answered.json()) as { id: string }).id;
  };
  await page.getByText("A thread to prune").click();
  await expect(page).toHaveURL(/\/post\/\d+$/);
  const root = new URL(page.url()).pathname.slice("/post/".length);
  const answered = await write("Answered, then gone", root);
  await write("What hangs on it", answered);
  await write("Gone at once", root);
  await page.reload();
  const main = page.getByRole("article").filter({ hasText: "A thread to prune" });
  await expect(main.getByRole("button", { name: "Reply, 2", exact: true })).toBeVisible();

  await askToDelete(page, "Gone at once");
  await expect(question).toHaveAccessibleName("Delete this reply?");
  await expectAccessible(page, "the question before deleting");
  await button("Delete").click();
  await expect(page.getByText("Gone at once")).toHaveCount(0);
  await expect(page.getByText("This post was deleted.")).toHaveCount(0);
  await expect(main.getByRole("button", { name: "Reply, 1", exact: true })).toBeVisible();
  await askToDelete(page, "Answered, then gone");
  await button("Delete").click();
  await expect(page.getByText("This post was deleted.")).toBeVisible();
  await expect(page.getByText("What hangs on it")).toBeVisible();
  await expect(main.getByRole("button", { name: "Reply", exact: true })).toBeVisible();
  await askToDelete(page, "What hangs on it");
  await button("Delete").click();
  await expect(page.getByText("This post was deleted.")).toHaveCount(0);

  await page.getByRole("link", { name: "Back to home" }).click();
  await page.getByText("A thread to prune").click();
  await askToDelete(page, "A thread to prune");
  await button("Delete").click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  await expect(page.getByText("A thread to prune")).toHaveCount(0);
  await page.goto(`/post/${root}`);
  await expect(page.getByText("Post not found", { exact: true })).toBeVisible();
});

// proves: error-401-toast, error-401-login
test("deleting without a session redirects to the login", async ({ page }) => {
  await openFeed(page, makePost("9", byAda));
  await mockError(page, "posts/9", 401);
  await askToDelete(page, "Post 9");
  await expectRedirectToLogin(page, () => partsOf(page).button("Delete").click());
});
