import type { Locator } from "@playwright/test";
import {
  mockResponse,
  logInAsAda,
  expectError,
  expectToast,
  holdResponse,
  makePost,
  mockError,
} from "./mock-api";
import { expect, type Page, test } from "./test";

const posted = "Your post has been shared successfully.";

async function openHome(page: Page) {
  await logInAsAda(page);
  await page.goto("/");
  await expect(page.getByLabel("Your post")).toBeVisible();
}

function partsOf(scope: Page | Locator) {
  const text = scope.getByLabel("Your post");
  const button = (name: string) => scope.getByRole("button", { name, exact: true });
  return { text, button };
}

async function openDialog(page: Page) {
  await page.getByRole("button", { name: "New Post" }).locator("visible=true").click();
  return page.getByRole("dialog", { name: "Create Post", exact: true });
}

// proves: composer-rows, shell-new-post, shell-compose-dialog, home-composer
test("the composer has two rows on the page and six in the dialog", async ({ page }) => {
  await openHome(page);
  await expect(page.getByLabel("Your post")).toHaveAttribute("rows", "2");
  const dialog = await openDialog(page);
  await expect(dialog.getByLabel("Your post")).toHaveAttribute("rows", "6");
});

// proves: composer-poll-toggle, composer-poll-two, composer-poll-placeholder, composer-poll-add
// proves: composer-poll-remove, composer-poll-forgets
test("a poll is shown, filled and hidden", async ({ page }) => {
  await openHome(page);
  const { button } = partsOf(page);
  const options = page.getByPlaceholder(/^Option \d$/);
  await expect(options).toHaveCount(0);
  await button("Add poll").click();
  await expect(options).toHaveCount(2);
  for (const [index, option] of (await options.all()).entries()) {
    await expect(option).toHaveAttribute("placeholder", `Option ${index + 1}`);
    await expect(option).toHaveValue("");
    await option.fill("Something");
  }
  await button("Add option").click();
  await button("Add option").click();
  await expect(options).toHaveCount(4);
  await expect(button("Add option")).toBeHidden();
  await button("Remove poll").click();
  await expect(options).toHaveCount(0);
  await button("Add poll").click();
  await expect(options).toHaveCount(2);
  await expect(options.first()).toHaveValue("");
  await button("Remove option 1").click();
  await button("Remove option 1").click();
  await expect(options).toHaveCount(0);
});

// proves: double-click-once
test("a double click on a remove button removes one poll option only", async ({ page }) => {
  await openHome(page);
  const { button } = partsOf(page);
  await button("Add poll").click();
  await button("Add option").click();
  for (const [index, text] of ["Tea", "Coffee", "Water"].entries()) {
    await page.getByPlaceholder(`Option ${index + 1}`).fill(text);
  }
  await button("Remove option 1").dblclick();
  await expect(page.getByPlaceholder(/^Option \d$/)).toHaveCount(2);
  await expect(page.getByPlaceholder("Option 1")).toHaveValue("Coffee");
  await button("Remove option 1").press("Enter");
  await expect(page.getByPlaceholder("Option 1")).toHaveValue("Water");
});

// proves: composer-counter, composer-disabled
test("a text that cannot be posted disables the button", async ({ page }) => {
  await openHome(page);
  const { text, button } = partsOf(page);
  await expect(button("Post")).toBeDisabled();
  await text.fill("  \n ");
  await expect(button("Post")).toBeDisabled();
  const wrong = page.locator(".text-destructive");
  await text.fill("👩‍👩‍👧‍👦".repeat(100) + "x".repeat(400));
  await expect(page.getByText("500/500")).toBeVisible();
  await expect(wrong).toHaveCount(0);
  await expect(button("Post")).toBeEnabled();
  await text.fill("x".repeat(501));
  await expect(wrong).toHaveText(/501\/500/);
  await expect(button("Post")).toBeDisabled();
});

// proves: composer-large
test("a text that is too large in bytes shows why it cannot be posted", async ({ page }) => {
  await openHome(page);
  const { text, button } = partsOf(page);
  const reason = page.getByText(
    "This text is too large to save. Try fewer emoji or combining marks.",
    { exact: true },
  );
  await text.fill("👩‍👩‍👧‍👦".repeat(500));
  await expect(page.getByText("500/500")).toBeVisible();
  await expect(reason).toBeVisible();
  await expect(button("Post")).toBeDisabled();
  await text.fill("👩‍👩‍👧‍👦".repeat(200));
  await expect(reason).toBeHidden();
  await expect(button("Post")).toBeEnabled();
});

// proves: composer-pending, composer-disabled, composer-success, composer-clears, composer-key
// proves: composer-refreshes, composer-poll-blank, web-refresh
test("a post is sent", async ({ page }) => {
  await openHome(page);
  const dialog = await openDialog(page);
  const { text, button } = partsOf(dialog);
  await text.fill("Tea or coffee?");
  await button("Add poll").click();
  await button("Add option").click();
  await dialog.getByPlaceholder("Option 1").fill("Tea");
  await dialog.getByPlaceholder("Option 3").fill("Coffee");
  const release = await holdResponse(page, "posts");
  const request = page.waitForRequest((sent) => sent.method() === "POST");
  await button("Post").click();
  await expect(button("Posting...")).toBeDisabled();
  const sent = await request;
  expect(sent.postDataJSON()).toEqual({
    content: "Tea or coffee?",
    pollOptions: ["Tea", "Coffee"],
  });
  expect(sent.headers()["idempotency-key"]).toMatch(/^[\w-]{20,100}$/);
  const feed = page.waitForRequest("**/api/posts/feed?*");
  await release(makePost("9", { content: "Tea or coffee?" }));
  await expectToast(page, "Post created", posted);
  await expect(dialog).toBeHidden();
  await feed;
  await expect(page.getByLabel("Your post")).toHaveValue("");
  await expect(page.getByPlaceholder("Option 1")).toHaveCount(0);
});

// proves: composer-failed, composer-key
test("a post that fails stays in the composer, and is sent again with its idempotency key", async ({
  page,
}) => {
  await openHome(page);
  const { text, button } = partsOf(page);
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") keys.push(request.headers()["idempotency-key"]);
  });
  await mockError(page, "posts", 500);
  await text.fill("Keep this");
  await button("Post").click();
  await expectError(page, "Failed to create post. Please try again.");
  await expect(text).toHaveValue("Keep this");
  await page.unroute("**/api/posts");
  await mockResponse(page, "posts", makePost("9", { content: "Keep this" }), 201);
  await button("Post").click();
  await expectToast(page, "Post created", posted);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
});

const storedDraft = (page: Page) => page.evaluate(() => localStorage.getItem("kith:draft:1:post"));

// proves: composer-elsewhere, composer-pending
test("a post that Home is sending cannot be changed in the dialog", async ({ page }) => {
  await openHome(page);
  const home = partsOf(page);
  await home.text.fill("Slow train");
  await home.button("Add poll").click();
  await page.getByPlaceholder("Option 1").fill("Here");
  await page.getByPlaceholder("Option 2").fill("There");
  const release = await holdResponse(page, "posts");
  await home.button("Post").click();
  const dialog = await openDialog(page);
  const { text, button } = partsOf(dialog);
  await expect(text).toHaveValue("Slow train");
  await expect(text).not.toBeEditable();
  await expect(dialog.getByPlaceholder("Option 1")).not.toBeEditable();
  await expect(button("Remove poll")).toBeDisabled();
  await expect(button("Posting...")).toBeDisabled();
  await release(makePost("9", { content: "Slow train" }));
  await expectToast(page, "Post created", posted);
  await expect(text).toHaveValue("");
  expect(await storedDraft(page)).toBeNull();
  await text.fill("The next one");
  await expect(button("Post")).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Your post")).toHaveValue("The next one");
});

// proves: composer-closed, composer-failed, composer-kept
test("a dialog that is closed while it sends keeps a draft only if that fails", async ({
  page,
}) => {
  await openHome(page);
  const { text, button } = partsOf(page);
  const dialog = await openDialog(page);
  await partsOf(dialog).text.fill("Gone already");
  const rejectPost = await holdResponse(page, "posts");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button("Posting...")).toBeDisabled();
  await expect(text).not.toBeEditable();
  await rejectPost({ message: "Too many.", code: "rate_limited" }, 429);
  await expectError(page, "Too many.");
  await expect(text).toHaveValue("Gone already");
  await expect(text).toBeEditable();
  await openDialog(page);
  const release = await holdResponse(page, "posts");
  await partsOf(dialog).text.press("Control+Enter");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await release(makePost("9", { content: "Gone already" }));
  await expectToast(page, "Post created", posted);
  await expect(text).toHaveValue("");
  expect(await storedDraft(page)).toBeNull();
});
