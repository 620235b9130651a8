import { ada, mockResponse, logInAsAda, expectToast } from "./mock-api";
import { expect, expectAccessible, test } from "./test";

// proves: home-no-email
test("a founder without an email is asked for one on Home", async ({ founder: page }) => {
  await page.goto("/");
  const card = page.getByRole("region", { name: "Add an email address", exact: true });
  await expect(card).toContainText("Add an email address so you can log in again.");
  await expectAccessible(page, "Home without an email");
  await card.getByRole("link", { name: "Add email", exact: true }).click();
  await expect(page).toHaveURL("/settings");
  await expect(page.getByRole("region", { name: "Account", exact: true })).toBeVisible();
});

// proves: home-no-email
test("a member with an email is not asked for one", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(page.getByText("Add an email address")).toHaveCount(0);
});

// proves: home-leaving
test("Home shows a scheduled deletion, and cancels it", async ({ page }) => {
  await logInAsAda(page, { deletionAt: new Date(2026, 10, 28, 12).toISOString() });
  await page.goto("/");
  const banner = page.getByRole("region", { name: "Your account will be deleted", exact: true });
  await expect(banner).toContainText("will be deleted on November 28, 2026.");
  await expectAccessible(page, "Home of a member who leaves");
  const saved = page.waitForRequest((request) => {
    return request.method() === "DELETE" && request.url().endsWith("/api/account/deletion");
  });
  await page.route("**/api/account/deletion", async (route) => {
    await mockResponse(page, "auth/me", { ...ada, deletionAt: null });
    await route.fulfill({ status: 204 });
  });
  await banner.getByRole("button", { name: "Keep my account", exact: true }).click();
  await saved;
  await expectToast(page, "Deletion cancelled", "Your account will not be deleted.");
  await expect(banner).toHaveCount(0);
});
