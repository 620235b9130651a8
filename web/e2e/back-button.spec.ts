import type { Locator } from "@playwright/test";
import { chooseFiles, getTiles } from "./composer-images";
import { red } from "./image-files";
import { ada, mockResponse, logInAsAda, holdResponse, makePost } from "./mock-api";
import { mockUploads } from "./mock-uploads";
import { expect, expectNoOverlays, type Page, test } from "./test";

const phone = { width: 390, height: 844 };

/** Opens Profile and then Home, so that the tests notice if Back leaves Home. */
async function openHome(page: Page, ...posts: object[]) {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", posts);
  await page.goto("/profile/ada");
  await page.getByRole("link", { name: "Home", exact: true }).locator("visible=true").click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(posts.length);
}

/** Goes back twice: first the overlay closes, then the page changes. */
async function expectBackCloses(page: Page, opened: Locator) {
  await expect(opened).toBeVisible();
  await page.goBack();
  await expect(opened).toBeHidden();
  await expect(page).toHaveURL("/");
}

function partsOf(page: Page) {
  const card = page.getByRole("article");
  const more = card.getByRole("button", { name: "More", exact: true });
  return {
    more,
    menu: page.getByRole("menu"),
    composer: page.getByRole("dialog", { name: "Create Post", exact: true }),
    drawer: page.getByRole("dialog", { name: "Menu", exact: true }),
    async chooseItem(item: string) {
      await more.click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
    },
  };
}

// proves: back-closes, back-once
test("Back closes dialogs and menus before it leaves the page", async ({ page }) => {
  await openHome(page, makePost("7", { author: ada }));
  const { chooseItem, composer, menu, more } = partsOf(page);
  await page.getByRole("button", { name: "New Post" }).click();
  await composer.getByLabel("Your post").fill("Half a thought");
  await expectBackCloses(page, composer);
  await expect(page.getByLabel("Your post")).toHaveValue("Half a thought");
  await more.click();
  await expectBackCloses(page, menu);
  await expect(more).toBeFocused();
  await chooseItem("Delete");
  await expectBackCloses(page, page.getByRole("alertdialog"));
  await page.keyboard.press("?");
  await expectBackCloses(page, page.getByRole("dialog", { name: "Keyboard shortcuts" }));
  // However it is closed, it leaves no history entry.
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await more.click();
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  for (let times = 0; times < 3; times += 1) {
    await page.getByRole("button", { name: "New Post" }).click();
    await composer.getByRole("button", { name: "Close" }).click();
    await expect(composer).toBeHidden();
  }
  await expectNoOverlays(page);
  await page.goBack();
  await expect(page).toHaveURL("/profile/ada");
  await page.goForward();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

// proves: back-closes, back-drawer
test("Back closes the drawer, and after one of its links returns to the page", async ({ page }) => {
  await page.setViewportSize(phone);
  await openHome(page);
  const { drawer, menu } = partsOf(page);
  const open = page.getByRole("button", { name: "Open menu" });
  await open.click();
  await expectBackCloses(page, drawer);
  await expect(open).toBeFocused();
  // A menu above the drawer closes first.
  await open.click();
  await drawer.getByRole("button", { name: /^Account menu/ }).click();
  await expectBackCloses(page, menu);
  await expectBackCloses(page, drawer);

  await open.click();
  await drawer.getByRole("link", { name: "Discover" }).click();
  await expect(page).toHaveURL("/discover");
  await expect(drawer).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await drawer.getByRole("button", { name: /^Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(page).toHaveURL("/settings");
  await expect(drawer).toBeHidden();
  for (const path of ["/discover", "/", "/profile/ada"]) {
    await page.goBack();
    await expect(page).toHaveURL(path);
    await expect(drawer).toBeHidden();
  }
  for (const path of ["/", "/discover", "/settings"]) {
    await page.goForward();
    await expect(page).toHaveURL(path);
    await expect(drawer).toBeHidden();
  }
});

// proves: back-once
test("Forward reopens no overlay, and a reload leaves no history entry of one", async ({
  page,
}) => {
  await openHome(page);
  const { composer } = partsOf(page);
  await page.getByRole("button", { name: "New Post" }).click();
  await expectBackCloses(page, composer);
  await page.goForward();
  await expect(page).toHaveURL("/");
  await expect(composer).toBeHidden();
  await page.getByRole("button", { name: "New Post" }).click();
  await expect(composer).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(composer).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL("/profile/ada");
});

test("deleting the post of a thread leads back to the feed", async ({ page }) => {
  const own = makePost("7", { author: ada });
  await openHome(page, own);
  await mockResponse(page, "posts/7", own);
  await mockResponse(page, "posts/7/thread", { ancestors: [], post: own, replies: [] });
  await page.getByRole("article").getByText("Post 7").click();
  await expect(page).toHaveURL("/post/7");
  await partsOf(page).chooseItem("Delete");
  const release = await holdResponse(page, "posts/7");
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(question.getByRole("button", { name: "Deleting..." })).toBeVisible();
  // A pending deletion cannot be cancelled.
  await page.goBack();
  await expect(question).toBeVisible();
  await release({}, 204);
  await expect(page).toHaveURL("/");
  await expect(question).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL("/profile/ada");
});

// proves: back-closes, back-keeps-input, login-close-resets
test("the login form keeps its values after Back, and is empty after it was closed", async ({
  page,
}) => {
  await page.goto("/terms");
  await page.getByRole("link", { name: "Kith, home" }).click();
  const login = page.getByRole("button", { name: "Login" });
  const dialog = page.getByRole("dialog", { name: "Welcome back" });
  const code = dialog.getByLabel("Invite code");
  const email = dialog.getByLabel("Email", { exact: true });
  await login.click();
  await code.fill("ABCD2345EFGH");
  await email.fill("new@example.org");
  await expectBackCloses(page, dialog);
  await expect(login).toBeFocused();
  await login.click();
  await expect(code).toHaveValue("ABCD2345EFGH");
  await expect(email).toHaveValue("new@example.org");

  // The step after sending the link is restored, with the typed part of the code.
  await dialog.getByRole("button", { name: "Already have an account? Log in" }).click();
  await dialog.getByRole("button", { name: "Send magic link" }).click();
  const mailed = dialog.getByLabel("Or enter the code from the email");
  await mailed.fill("ABCD");
  await expectBackCloses(page, dialog);
  await login.click();
  await expect(dialog.getByText("new@example.org")).toBeVisible();
  await expect(mailed).toHaveValue("ABCD");

  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await login.click();
  await expect(code).toHaveValue("");
  await expect(email).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expectNoOverlays(page);
  await page.goBack();
  await expect(page).toHaveURL("/terms");
});

// proves: login-legal-tab
test("the terms open in another tab, and the login form keeps its values", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Login" }).click();
  const dialog = page.getByRole("dialog", { name: "Welcome back" });
  await dialog.getByLabel("Invite code").fill("ABCD2345EFGH");
  await dialog.getByLabel("Email", { exact: true }).fill("new@example.org");
  for (const [name, path] of [
    ["Terms", "/terms"],
    ["Privacy Policy", "/privacy"],
  ] as const) {
    const opening = page.waitForEvent("popup");
    await dialog.getByRole("link", { name }).click();
    const tab = await opening;
    await expect(tab).toHaveURL(path);
    await tab.close();
  }
  await expect(dialog.getByLabel("Invite code")).toHaveValue("ABCD2345EFGH");
  await expect(dialog.getByLabel("Email", { exact: true })).toHaveValue("new@example.org");
});

// proves: back-keeps-input
test("the report dialog keeps its values after Back, and is empty after it was closed", async ({
  page,
}) => {
  await openHome(page, makePost("7"), makePost("8"));
  const more = page.getByRole("button", { name: "More", exact: true });
  const dialog = page.getByRole("dialog", { name: "Report this post", exact: true });
  const note = dialog.getByLabel("More about it (optional)");
  const open = async (at: number) => {
    await more.nth(at).click();
    await page.getByRole("menuitem", { name: "Report", exact: true }).click();
    await expect(dialog).toBeVisible();
  };
  await open(0);
  await dialog.getByRole("radio", { name: "Spam", exact: true }).check();
  await note.fill("The tenth one today");
  await expectBackCloses(page, dialog);
  await open(1);
  await expect(note).toHaveValue("");
  await expectBackCloses(page, dialog);
  await open(0);
  await expect(note).toHaveValue("The tenth one today");
  await expect(dialog.getByRole("radio", { name: "Spam", exact: true })).toBeChecked();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await open(0);
  await expect(note).toHaveValue("");
});

// proves: back-keeps-input
test("the description of an image keeps its value after Back", async ({ page }) => {
  await openHome(page);
  await mockUploads(page);
  await chooseFiles(page, red);
  const described = getTiles(page).getByRole("button", { name: /ALT/ });
  const dialog = page.getByRole("dialog", { name: "Describe the image" });
  const description = dialog.getByLabel("Description");
  await described.click();
  await description.fill("A red square");
  await expectBackCloses(page, dialog);
  await described.click();
  await expect(description).toHaveValue("A red square");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await described.click();
  await expect(description).toHaveValue("");
});

// proves: back-keeps-input
test("the note of a moderator keeps its value after Back", async ({ page }) => {
  await openHome(page, makePost("7"));
  await mockResponse(page, "auth/me", { ...ada, role: "moderator" });
  await page.reload();
  const { chooseItem } = partsOf(page);
  const dialog = page.getByRole("dialog", { name: "Remove this post?" });
  const note = dialog.getByLabel(/^Why/);
  await chooseItem("Remove post");
  await note.fill("The tenth one today");
  await expectBackCloses(page, dialog);
  await chooseItem("Remove post");
  await expect(note).toHaveValue("The tenth one today");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await chooseItem("Remove post");
  await expect(note).toHaveValue("");
});

test("a tab restarts after a logout in another tab, whatever overlay is open", async ({ page }) => {
  await openHome(page);
  await page.goto("/profile/ada");
  await page.getByRole("button", { name: "New Post" }).click();
  await expect(partsOf(page).composer).toBeVisible();
  const other = await page.context().newPage();
  await other.goto("/terms");
  await other.evaluate(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    new BroadcastChannel("kith:member").postMessage(null);
  });
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
