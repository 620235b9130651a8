import {
  mockResponse,
  logInAsAda,
  expectError,
  expectToast,
  holdResponse,
  makePost,
  mockError,
} from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

async function openDialog(page: Page) {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
  const more = page.getByRole("article").getByRole("button", { name: "More", exact: true });
  await more.click();
  await page.getByRole("menuitem", { name: "Report", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Report this post", exact: true });
  await expect(dialog).toBeVisible();
  const send = dialog.getByRole("button", { name: "Send report", exact: true });
  return { dialog, send, more, note: dialog.getByLabel("More about it (optional)") };
}

// proves: report-dialog, report-sent, report-secret
test("a post is reported with a reason and a note", async ({ page }) => {
  const { dialog, send, more, note } = await openDialog(page);
  await expect(dialog.getByRole("radio")).toHaveCount(7);
  await expect(dialog).toContainText("@bob never learns who sent it");
  await expect(send).toBeDisabled();
  await dialog.getByRole("radio", { name: "Spam", exact: true }).check();
  await note.fill("x".repeat(1_001));
  await expect(send).toBeDisabled();
  await note.fill("The tenth one today");
  const release = await holdResponse(page, "reports");
  const requested = page.waitForRequest("**/api/reports");
  await send.click();
  expect((await requested).postDataJSON()).toEqual({
    postId: "7",
    reason: "spam",
    note: "The tenth one today",
  });
  await expect(dialog.getByRole("button", { name: "Sending...", exact: true })).toBeDisabled();
  await release({});
  await expectToast(page, "Report sent", "Thank you. A moderator will look at it.");
  await expect(dialog).toBeHidden();
  await expect(more).toBeFocused();
});

// proves: report-failed
test("a report that cannot be sent stays in the dialog", async ({ page }) => {
  const { dialog, send, note, more } = await openDialog(page);
  await dialog.getByRole("radio", { name: "Something else", exact: true }).check();
  await note.fill("Look at the second line");
  await mockError(page, "reports", 404, "Post not found.");
  await send.click();
  await expectError(page, "Post not found.");
  await page.route("**/api/reports", (route) => route.abort());
  await send.click();
  await expectError(page, "Failed to send the report. Please try again.");
  await expect(note).toHaveValue("Look at the second line");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(more).toBeFocused();
});

// proves: report-dialog
test("the report dialog is accessible", async ({ page }) => {
  const { dialog, send } = await openDialog(page);
  await dialog.getByRole("radio", { name: "Spam", exact: true }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByRole("radio", { name: "Harassment or threats" })).toBeChecked();
  await expect(send).toBeEnabled();
  await expectAccessible(page, "the dialog for reports");
});

// proves: code-unreachable
test("a dialog whose code cannot be loaded shows an error, and opens later", async ({ page }) => {
  await page.route("**/assets/report-dialog-*.js", (route) => route.abort());
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
  const more = page.getByRole("article").getByRole("button", { name: "More", exact: true });
  await more.click();
  const report = page.getByRole("menuitem", { name: "Report", exact: true });
  await report.click();
  await expectError(page, "Kith can't be reached right now.");
  await page.unroute("**/assets/report-dialog-*.js");
  await more.click();
  await report.click();
  await expect(page.getByRole("dialog", { name: "Report this post", exact: true })).toBeVisible();
});
