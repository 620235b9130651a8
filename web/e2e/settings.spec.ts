import type { Browser } from "@playwright/test";
import {
  mockResponse,
  logInAsAda,
  makeSession,
  expectError,
  expectToast,
  holdResponse,
  mockError,
} from "./mock-api";
import type { Kith } from "./server";
import { expect, expectAccessible, expectLanding, test } from "./test";

// A test ends the founder's session.
test.use({ serverFor: "settings" });

const here = makeSession("1", { name: "Chrome on Windows", isCurrent: true });
const phone = makeSession("2", { name: "Safari on iPhone" });
const laptop = makeSession("3", {
  lastUsedAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
});

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

/** The founder in another browser. */
async function logInElsewhere(browser: Browser, kith: Kith) {
  const context = await browser.newContext({ baseURL: kith.url, userAgent: firefox });
  const page = await context.newPage();
  await page.goto(await kith.signInLink("founder"));
  await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  return page;
}

// proves: route-settings, settings-title, settings-devices, settings-this-device
test("devices are listed, the current one first", async ({ page }) => {
  await logInAsAda(page);
  const release = await holdResponse(page, "auth/sessions");
  await page.goto("/settings");
  await expect(page.getByRole("heading", { name: "Settings", exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/Settings/);
  const devices = page.getByRole("region", { name: "Devices", exact: true });
  await expect(devices.getByRole("status").getByText("Loading...")).toBeAttached();
  await release([phone, here, laptop]);
  const rows = devices.getByRole("listitem");
  await expect(rows).toHaveText([
    /^Chrome on WindowsThis deviceIn use now\. Logged in on March 5, 2026\.$/,
    /^Safari on iPhoneLast used 2 hours ago\. Logged in on March 5, 2026\.Log out$/,
    /^Firefox on LinuxLast used 3 days ago\. Logged in on March 5, 2026\.Log out$/,
  ]);
  await expect(page.getByText("on this device only")).toHaveCount(0);
  await expectAccessible(page, "the settings");
});

// proves: settings-only-device
test("a single device has a message that it is the only one", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "auth/sessions", [here]);
  await page.goto("/settings");
  const only = page.getByText("You're logged in on this device only.", { exact: true });
  await expect(only).toBeVisible();
  await expect(page.getByRole("button", { name: /^Log out Chrome/ })).toHaveCount(0);
});

// proves: shell-settings
test("the account menu leads to the settings", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "auth/sessions", [here]);
  const menu = page.getByRole("button", { name: "Account menu of Ada Lovelace" });
  const item = page.getByRole("menuitem", { name: "Settings", exact: true });
  const heading = page.getByRole("heading", { name: "Settings", exact: true });
  await page.goto("/");
  await menu.locator("visible=true").press("Enter");
  await item.press("Enter");
  await expect(page).toHaveURL("/settings");
  await expect(heading).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open menu", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Account menu" }).click();
  await item.click();
  await expect(page).toHaveURL("/settings");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(heading).toBeVisible();
});

// proves: settings-end, call-end-session, session-end
test("another device is logged out", async ({ founder: page, browser, kith }) => {
  const other = await logInElsewhere(browser, kith);
  await page.goto("/settings");
  const rows = page.getByRole("region", { name: "Devices", exact: true }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("This device");
  await rows
    .nth(1)
    .getByRole("button", { name: "Log out Firefox on Linux", exact: true })
    .press("Enter");
  await expectToast(page, "Device logged out", "Firefox on Linux");
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole("main")).toBeFocused();
  await expectLanding(other);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await other.context().close();
});

// proves: settings-end-gone, settings-end-failed
test("a device that cannot be logged out shows the reason", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "auth/sessions", [here, phone]);
  await page.goto("/settings");
  const button = page.getByRole("button", { name: "Log out Safari on iPhone", exact: true });
  await mockError(page, "auth/sessions/2", 500);
  await button.click();
  await expectError(page, "Failed to log out the device. Please try again.");
  await expect(button).toBeFocused();
  await mockError(page, "auth/sessions/2", 503, "Kith is busy.");
  await button.click();
  await expectError(page, "Kith is busy.");
  const release = await holdResponse(page, "auth/sessions/2");
  await button.click();
  const pending = page.getByRole("button", { name: "Logging out... Safari on iPhone" });
  await expect(pending).toBeFocused();
  await mockResponse(page, "auth/sessions", [here]);
  await release();
  await expectToast(page, "Device logged out", "Safari on iPhone");
  await expect(pending).toHaveCount(0);

  await mockResponse(page, "auth/sessions", [here, laptop]);
  await page.reload();
  await mockError(page, "auth/sessions/3", 404, "There is no such session.");
  const gone = page.getByRole("button", { name: "Log out Firefox on Linux", exact: true });
  await expect(gone).toBeVisible();
  await mockResponse(page, "auth/sessions", [here]);
  await gone.click();
  await expectToast(page, "Device logged out", "Firefox on Linux");
  await expect(gone).toHaveCount(0);
});

// proves: settings-end-all-failed
test("a failed logout of all devices shows the reason", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "auth/sessions", [here, phone]);
  await page.goto("/settings");
  const question = page.getByRole("alertdialog", { name: "Log out everywhere?" });
  const confirm = question.getByRole("button", { name: "Log out", exact: true });
  await page.getByRole("button", { name: "Log out everywhere", exact: true }).click();
  await mockError(page, "auth/sessions", 500);
  await confirm.click();
  await expectError(page, "Failed to log out everywhere. Please try again.");
  await mockError(page, "auth/sessions", 503, "Kith is busy.");
  await confirm.click();
  await expectError(page, "Kith is busy.");
  await expect(question).toBeVisible();
});

// proves: settings-end-all, settings-end-all-drafts, call-end-sessions, session-end-all
test("all devices are logged out after a confirmation", async ({
  founder: page,
  browser,
  kith,
}) => {
  const other = await logInElsewhere(browser, kith);
  await page.getByLabel("Your post").fill("Not meant for others");
  await page.goto("/settings");
  const stored = () => page.evaluate(() => JSON.stringify(localStorage));
  expect(await stored()).toContain("Not meant for others");
  const everywhere = page.getByRole("button", { name: "Log out everywhere", exact: true });
  const question = page.getByRole("alertdialog", { name: "Log out everywhere?" });
  await everywhere.press("Enter");
  await expect(question).toHaveAccessibleDescription(/this one too/);
  await expect(question.getByRole("button", { name: "Cancel", exact: true })).toBeFocused();
  await expectAccessible(page, "the question before logging out everywhere");
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(everywhere).toBeFocused();
  await expect(page.getByRole("listitem").filter({ hasText: "Firefox on Linux" })).toBeVisible();

  await everywhere.click();
  await question.getByRole("button", { name: "Log out", exact: true }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expectToast(page, "Logged out everywhere");
  expect(await stored()).not.toContain("Not meant for others");
  await expectLanding(other);
  await other.context().close();
});
