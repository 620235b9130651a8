import { hold, refuse } from "./invented";
import { expect, test } from "./test";

// proves: verify-loading, verify-success, verify-redirect, verify-refreshes-me
test("a link is verified, and leads home after a second and a half", async ({ page }) => {
  await page.clock.install();
  const release = await hold(page, "auth/verify?*");
  await page.goto("/auth/verify?token=invented&invite=ABCD2345EFGH");
  await expect(page.getByRole("status")).toHaveText("Verifying...Please wait while we log you in");
  const asked = page.waitForRequest("**/api/auth/me");
  await page.clock.pauseAt(Date.now() + 60_000);
  await release({ message: "You are logged in." });
  await asked;
  await expect(page.getByRole("heading", { name: "Success!", exact: true })).toBeVisible();
  await page.clock.runFor(1_450);
  await expect(page).toHaveURL("/auth/verify");
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/");
});

// proves: verify-error, verify-error-sentence, verify-error-thrown
test("a link that cannot be verified says why", async ({ page }) => {
  const why = page.getByRole("status").locator("p");
  await refuse(page, "auth/verify?*", 410, "This link is too old.");
  await page.goto("/auth/verify?token=invented");
  await expect(
    page.getByRole("heading", { name: "Verification failed", exact: true }),
  ).toBeVisible();
  await expect(why).toHaveText("This link is too old.");
  await refuse(page, "auth/verify?*", 500);
  await page.goto("/auth/verify?token=invented");
  await expect(why).toHaveText("Verification failed");
  await page.route("**/api/auth/verify?*", (route) => route.abort());
  await page.goto("/auth/verify?token=invented");
  await expect(why).toHaveText("An error occurred during verification");
  await page.getByRole("link", { name: "Back to home", exact: true }).click();
  await expect(page).toHaveURL("/");
});
