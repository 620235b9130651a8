import { mockResponse, logInAsAda, makePost } from "./mock-api";
import { expect, expectShortcutsReady, type Page, test } from "./test";

async function openHome(page: Page) {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7"), makePost("8")]);
  await page.goto("/");
  await expect(page.getByRole("article")).toHaveCount(2);
  await expectShortcutsReady(page);
}

async function press(page: Page, keys: string) {
  for (const key of keys.split(" ")) await page.keyboard.press(key);
}

// proves: keys-posts
test("keys move between posts and act on the focused one", async ({ page }) => {
  await openHome(page);
  const [first, second] = [page.getByRole("article").first(), page.getByRole("article").last()];
  const post = makePost("8", { isLiked: true, likeCount: 1 });
  await mockResponse(page, "posts/8/like", post);
  await mockResponse(page, "posts", makePost("9", { repostOfId: "8", repostOf: post }), 201);
  await mockResponse(page, "posts/8/thread", { ancestors: [], post, replies: [] });
  await press(page, "j");
  await expect(first).toBeFocused();
  await press(page, "j");
  await expect(second).toBeFocused();
  await press(page, "k");
  await expect(first).toBeFocused();
  await press(page, "j l");
  await expect(second.getByRole("button", { name: "Unlike, 1" })).toBeVisible();
  await press(page, "t");
  await expect(second.getByRole("button", { name: "Undo repost, 1" })).toBeVisible();
  await press(page, "r");
  await expect(page.getByRole("dialog").getByLabel("Your reply")).toBeFocused();
  await press(page, "Escape");
  await expect(second).toBeFocused();
  await press(page, "Enter");
  await expect(page).toHaveURL("/post/8");
});

// proves: keys-places
test("two keys open a screen", async ({ page }) => {
  await openHome(page);
  for (const [key, path] of [
    ["d", "/discover"],
    ["n", "/notifications"],
    ["i", "/invites"],
    ["h", "/"],
  ] as const) {
    await press(page, `g ${key}`);
    await expect(page).toHaveURL(path);
  }
});

// proves: keys-write, keys-typing
test("a key opens the composer, where shortcuts are off", async ({ page }) => {
  await openHome(page);
  await press(page, "n");
  const text = page.getByRole("dialog", { name: "Create Post" }).getByLabel("Your post");
  await expect(text).toBeFocused();
  await text.pressSequentially("jungle? /");
  await expect(text).toHaveValue("jungle? /");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  for (const keys of ["Control+Enter", "Meta+Enter"]) {
    const sent = page.waitForRequest("**/api/posts");
    await press(page, keys);
    expect((await sent).postDataJSON()).toMatchObject({ content: "jungle? /" });
    await expect(text).toBeEditable();
  }
  await press(page, "Escape");
  await press(page, "/");
  const search = page.getByRole("searchbox").filter({ visible: true });
  await expect(search).toBeFocused();
  await press(page, "g d n");
  await expect(search).toHaveValue("gdn");
  await expect(page).toHaveURL("/");
});

// proves: keys-off
test("Settings turns shortcuts off and on again", async ({ founder: page }) => {
  await page.goto("/settings");
  const toggle = page.getByRole("checkbox", { name: "Use keyboard shortcuts on this device" });
  await toggle.uncheck();
  await press(page, "g d ?");
  await expect(page).toHaveURL("/settings");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.reload();
  await expect(toggle).not.toBeChecked();
  await toggle.check();
  await press(page, "g d");
  await expect(page).toHaveURL("/discover");
});

// proves: keys-list, keys-typing
test("a question mark lists the shortcuts, which are off while the list is open", async ({
  page,
}) => {
  await openHome(page);
  await press(page, "?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts", exact: true });
  const keys = ["n", "j", "k", "Enter", "l", "r", "t", "/", "gh", "gd", "gn", "gi", "?"];
  await expect(list.getByRole("definition")).toHaveText(keys);
  await press(page, "n g d");
  await expect(list).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(page).toHaveURL("/");
});
