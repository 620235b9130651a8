import {
  mockResponse,
  logInAsAda,
  expectError,
  expectToast,
  holdResponse,
  mockError,
} from "./mock-api";
import type { Kith } from "./server";
import { expect, expectAccessible, type Page, signUp, test } from "./test";

// These tests change and delete accounts of the founder's friends.
test.use({ serverFor: "account" });

const account = { email: "ada@example.org", pendingEmail: null, deletion: null };
const pending = () => ({
  email: "new@example.net",
  // Still rounds to 14 minutes after almost a minute.
  expiresAt: new Date(Date.now() + 14.45 * 60_000).toISOString(),
  isNewConfirmed: false,
  isOldConfirmed: false,
});
const none = { state: "none", percent: 0, size: null, createdAt: null, expiresAt: null };
const ready = {
  state: "ready",
  percent: 100,
  size: 3_400_000,
  createdAt: new Date(2026, 10, 21, 12).toISOString(),
  expiresAt: new Date(2026, 10, 28, 12).toISOString(),
};

async function openSettings(page: Page, mine: object = account, made: object = none) {
  await logInAsAda(page);
  await mockResponse(page, "auth/sessions", []);
  await mockResponse(page, "account", mine);
  await mockResponse(page, "account/export", made);
  await page.goto("/settings");
}

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function newMember(page: Page, kith: Kith, email: string) {
  const [code = ""] = await kith.inviteCodes(1);
  await signUp(page, kith, email, code);
}

// proves: route-confirm, confirm-names, settings-account, settings-address
test("an email change is confirmed by both mailboxes", async ({ page, kith }) => {
  await signUp(page, kith, "old@example.com", kith.inviteCode);
  await page.goto("/settings");
  const mine = section(page, "Account");
  await expect(mine.getByText("old@example.com", { exact: true })).toBeVisible();
  await mine.getByLabel("New email address").fill("fresh@example.net");
  await mine.getByRole("button", { name: "Change email address", exact: true }).press("Enter");
  await expectToast(page, "Check your email!", "Confirm the change within 15 minutes.");
  await expect(mine.getByText("New email address: not confirmed yet")).toBeVisible();
  await expectAccessible(page, "a pending change of email");

  await page.goto(await kith.mailed("fresh@example.net", /http\S+confirm\?step=new\S+/));
  await expect(page).toHaveURL("/account/confirm");
  await expect(page.getByRole("heading", { name: "Confirm this email address?" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: /^@member_\w+$/ })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "fresh@example.net" })).toBeVisible();
  await expectAccessible(page, "the question of the new mailbox");
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Confirmed", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "To Kith" }).click();
  await page.goto("/settings");
  await expect(mine.getByText("New email address: confirmed")).toBeVisible();
  await expect(mine.getByLabel("Code")).toHaveCount(0);

  await page.goto(await kith.mailed("old@example.com", /http\S+confirm\?step=old\S+/));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Email address changed" })).toBeVisible();
  await page.goto("/settings");
  await expect(mine.getByText("fresh@example.net", { exact: true })).toBeVisible();

  await page.goto(await kith.mailed("old@example.com", /http\S+confirm\?step=undo\S+/));
  await expect(page.getByRole("heading", { name: "Wasn't you?" })).toBeVisible();
  await page.getByRole("button", { name: "Keep my email address" }).click();
  await expect(
    page.getByRole("heading", { name: "Your email address has been restored" }),
  ).toBeVisible();
  await page.getByRole("link", { name: "To Kith" }).click();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
});

// proves: settings-address-failed
test("a rejected email change shows the reason", async ({ page }) => {
  await openSettings(page);
  const mine = section(page, "Account");
  const field = mine.getByLabel("New email address");
  const change = mine.getByRole("button", { name: "Change email address", exact: true });
  const sentence = "That's already your email address.";
  const body = { message: sentence, code: "invalid", fields: { email: sentence } };
  await mockResponse(page, "account/email", body, 422);
  await field.fill("ada@example.org");
  await change.click();
  await expect(field).toHaveAccessibleDescription(sentence);
  await expect(field).toBeFocused();
  await mockError(page, "account/email", 500);
  await change.click();
  await expectError(page, "Failed to request the change. Please try again.");
  await mockError(page, "account/email", 429, "You're doing that too often.");
  await change.click();
  await expectError(page, "You're doing that too often.");
});

// proves: settings-address-code, settings-address-cancel
test("a pending email change is confirmed by code or cancelled", async ({ page }) => {
  await openSettings(page, { ...account, pendingEmail: pending() });
  const mine = section(page, "Account");
  await expect(mine.getByText("The links expire in 14 minutes.")).toBeVisible();
  const code = mine.getByLabel("Code");
  const sentence = "That code isn't right. Please check the email and try again.";
  const body = { message: sentence, code: "invalid", fields: { code: sentence } };
  await mockResponse(page, "account/email/code", body, 422);
  await code.fill("aaaaaaaa");
  await expect(code).toHaveValue("AAAAAAAA");
  await code.press("Enter");
  await expect(code).toHaveAccessibleDescription(sentence);
  await mockError(page, "account/email", 503, "Kith is busy.");
  const cancel = mine.getByRole("button", { name: "Cancel the change", exact: true });
  await cancel.click();
  await expectError(page, "Kith is busy.");
  await page.route("**/api/account/email", (route) => route.fulfill({ status: 204 }));
  await mockResponse(page, "account", account);
  await cancel.click();
  await expectToast(page, "Change cancelled");
  await expect(mine.getByLabel("New email address")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

// proves: confirm-not-me
test("an unwanted email change is cancelled from either mailbox", async ({ page, kith }) => {
  await newMember(page, kith, "kept@example.com");
  const mine = section(page, "Account");
  const requestChange = async (email: string) => {
    await page.goto("/settings");
    await mine.getByRole("textbox").fill(email);
    await mine.getByRole("textbox").press("Enter");
    await expectToast(page, "Check your email!", "Confirm the change within 15 minutes.");
  };
  const notMe = page.getByRole("button", { name: "This wasn't me", exact: true });
  await requestChange("first@example.net");
  await page.goto(await kith.mailed("first@example.net", /http\S+confirm\?step=new\S+/));
  await expectAccessible(page, "the question of a new mailbox that may decline");
  await notMe.click();
  await expect(page.getByRole("heading", { name: "Change cancelled", exact: true })).toBeVisible();
  await requestChange("second@example.net");
  await kith.mailed("second@example.net", /step=new/);
  const old = /http\S+confirm\?step=old\S+/;
  await page.goto(await kith.mailed("kept@example.com", old));
  await notMe.click();
  await expect(notMe).toHaveCount(0);
  await page.getByRole("button", { name: /^Keep my/ }).click();
  await expect(page.getByRole("heading", { name: /^Your .*address stays/ })).toBeVisible();
  await page.getByRole("link", { name: "To Kith" }).click();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
});

// proves: confirm-not-me
test("trying again to decline does not confirm", async ({ page }) => {
  await mockResponse(page, "account/email/confirm?*", {
    newEmail: "new@example.net",
    username: "ada",
  });
  await mockError(page, "account/email/confirm", 503, "Kith is busy.");
  await page.goto("/account/confirm?step=new&token=x");
  await page.getByRole("button", { name: "This wasn't me", exact: true }).click();
  await expect(page.getByText("Kith is busy.", { exact: true })).toBeVisible();
  await mockResponse(page, "account/email/confirm", { state: "declined" });
  const requested = page.waitForRequest("**/api/account/email/confirm");
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  expect((await requested).postDataJSON()).toEqual({ token: "x", notMe: true });
});

// proves: confirm-states
test("a link that does not work shows the reason", async ({ page }) => {
  await mockResponse(page, "account/email/confirm?*", {
    newEmail: "new@example.net",
    username: "ada",
  });
  await page.goto("/account/confirm");
  await expect(page.getByText("No verification token found")).toBeVisible();
  for (const sentence of [
    "This link has expired. Request the change again.",
    "This change was cancelled or replaced by a newer request.",
    "This link isn't valid. Request a new one.",
  ]) {
    await mockError(page, "account/email/confirm", 410, sentence);
    await page.goto("/account/confirm?step=old&token=x");
    await expect(page.getByRole("heading", { name: "Change your email address?" })).toBeVisible();
    await page.getByRole("button", { name: "Confirm", exact: true }).click();
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  }
  await expectAccessible(page, "a link that does not work");
  await page.route("**/api/account/email/confirm", (route) => route.abort());
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Kith can't be reached right now.")).toBeVisible();
  await page.unroute("**/api/account/email/confirm?*");
  await page.goto("/account/confirm?step=old&token=x");
  await expect(page.getByText("This link isn't valid. Request a new one.")).toBeVisible();
  await expect(page.getByRole("button")).toHaveCount(0);
});

// proves: settings-export
test("an account is exported and downloaded", async ({ page, kith }) => {
  await newMember(page, kith, "export@example.com");
  await page.goto("/settings");
  const data = section(page, "Your data");
  await data.getByRole("button", { name: "Export everything", exact: true }).press("Enter");
  const link = data.getByRole("link", { name: "Download", exact: true });
  await expect(link).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^kith-member_\w+-\d{4}-\d\d-\d\d\.zip$/);
});

// proves: settings-export-states
test("an export shows its progress", async ({ page }) => {
  await page.clock.install();
  await openSettings(page, account, { ...ready, state: "running", percent: 40 });
  const data = section(page, "Your data");
  await expect(data.getByRole("progressbar", { name: "Export" })).toHaveAttribute("value", "40");
  await expect(data.getByRole("button")).toHaveCount(0);
  await expectAccessible(page, "an export under way");
  await mockResponse(page, "account/export", { ...none, state: "failed" });
  await page.clock.runFor(2_100);
  await expect(data.getByText("Your export could not be made. Please try again.")).toBeVisible();
  const sentence = "You have asked for 3 exports within a day. Please try again tomorrow.";
  await mockError(page, "account/export", 409, sentence);
  await data.getByRole("button", { name: "Export everything", exact: true }).click();
  await expectError(page, sentence);
  await mockResponse(page, "account/export", ready);
  await page.reload();
  await expect(data.getByText(/of November 21, 2026 is ready: 3\.4 MB\./)).toBeVisible();
  await expect(data.getByRole("button", { name: "Export again", exact: true })).toBeVisible();
});

// proves: settings-delete, settings-keep
test("an account's deletion is scheduled and cancelled", async ({ page, kith }) => {
  await newMember(page, kith, "leaving@example.com");
  await page.goto("/settings");
  const open = page.getByRole("button", { name: "Delete my account", exact: true });
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await open.press("Enter");
  await expectAccessible(page, "the question before an account is deleted");
  const field = dialog.getByLabel("Your username");
  await field.fill("another_name");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(field).toHaveAccessibleDescription("Type your own username to delete your account.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();
  await open.click();
  const hint = await dialog.getByText(/^Type member_\w+ to confirm\.$/).textContent();
  await field.fill(/member_\w+/.exec(hint ?? "")?.[0] ?? "");
  await field.press("Enter");
  await expectToast(page, "Your account will be deleted", "You have 7 days to keep it.");
  const banner = section(page, "Your account will be deleted");
  await expect(banner).toBeVisible();
  await expect(open).toHaveCount(0);
  await expectAccessible(page, "the settings of a member whose deletion is scheduled");
  await page.reload();
  await banner.getByRole("button", { name: "Keep my account", exact: true }).press("Enter");
  await expectToast(page, "Deletion cancelled", "Your account will not be deleted.");
  await expect(banner).toHaveCount(0);
  await expect(open).toBeVisible();
});

// proves: settings-delete-failed
test("a failed deletion and a failed cancellation show the reason", async ({ page }) => {
  await openSettings(page);
  await page.getByRole("button", { name: "Delete my account", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  const sentence = "You are the only admin. Make someone else an admin first.";
  await mockError(page, "account/deletion", 409, sentence);
  await dialog.getByLabel("Your username").fill("ada");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expectError(page, sentence);
  await expect(dialog).toBeVisible();
  const deletion = { deleteAt: new Date(2026, 10, 28, 12).toISOString() };
  await mockResponse(page, "account", { ...account, deletion });
  await page.reload();
  const banner = section(page, "Your account will be deleted");
  await expect(banner).toContainText("November 28, 2026");
  await mockError(page, "account/deletion", 500);
  await banner.getByRole("button", { name: "Keep my account", exact: true }).click();
  await expectError(page, "Failed to keep your account. Please try again.");
});

// proves: settings-account-failed
test("account settings that fail to load can be retried", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "auth/sessions", []);
  const release = await holdResponse(page, "account");
  await mockError(page, "account/export", 503, "Kith is busy.");
  await page.goto("/settings");
  await expect(section(page, "Account").getByRole("status").first()).toContainText("Loading...");
  await release(account);
  await expect(section(page, "Account").getByText("ada@example.org")).toBeVisible();
  const data = section(page, "Your data");
  await expect(data.getByRole("alert")).toContainText("Kith is busy.");
  await mockResponse(page, "account/export", none);
  await data.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(data.getByRole("button", { name: "Export everything" })).toBeVisible();
});
