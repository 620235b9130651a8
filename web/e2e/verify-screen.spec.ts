import { mockResponse, logInAsAda, holdResponse, mockError } from "./mock-api";
import { expect, test } from "./test";

// proves: verify-loading, verify-success, verify-redirect, verify-refreshes-me
test("a login link is verified, and opens Home after a second and a half", async ({ page }) => {
  await page.clock.install();
  const release = await holdResponse(page, "auth/verify?*");
  await page.goto("/auth/verify?token=invented&invite=ABCD2345EFGH");
  await expect(page.getByRole("status")).toHaveText("Verifying...Please wait while we log you in");
  const requested = page.waitForRequest("**/api/auth/me");
  await page.clock.pauseAt(Date.now() + 60_000);
  await release({ message: "You are logged in." });
  await requested;
  const success = page.getByRole("heading", { name: "Success!", exact: true });
  await expect(async () => {
    // Query results are rendered in a timer, for which the clock must advance.
    await page.clock.runFor(1);
    await expect(success).toBeVisible({ timeout: 100 });
  }).toPass();
  await page.clock.runFor(1_450);
  await expect(page).toHaveURL("/auth/verify");
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/");
});

// proves: verify-error, verify-error-sentence, verify-error-thrown
test("a login link that cannot be verified shows the reason", async ({ page }) => {
  const why = page.getByRole("status").locator("p");
  await mockError(page, "auth/verify?*", 410, "This link is too old.");
  await page.goto("/auth/verify?token=invented");
  await expect(
    page.getByRole("heading", { name: "Verification failed", exact: true }),
  ).toBeVisible();
  await expect(why).toHaveText("This link is too old.");
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await mockError(page, "auth/verify?*", 500);
  await page.goto("/auth/verify?token=invented");
  await expect(why).toHaveText("Verification failed");
  await page.route("**/api/auth/verify?*", (route) => route.abort());
  await page.goto("/auth/verify?token=invented");
  await expect(why).toHaveText("An error occurred during verification");
  await page.getByRole("link", { name: "Back to home", exact: true }).click();
  await expect(page).toHaveURL("/");
});

// proves: verify-logged-in
test("an expired login link shows that to a logged-in member", async ({ page }) => {
  await logInAsAda(page);
  for (const [code, sentence] of [
    ["link_used", "This link was used before. You're logged in as @ada."],
    ["link_expired", "This link has expired. You're logged in as @ada."],
  ]) {
    await mockResponse(page, "auth/verify?*", { message: "Ask for a new one.", code }, 410);
    await page.goto("/auth/verify?token=invented");
    await expect(page.getByRole("heading", { name: "You're already logged in" })).toBeVisible();
    await expect(page.getByRole("status").locator("p")).toHaveText(sentence ?? "");
  }
  await page.getByRole("link", { name: "Go to Home", exact: true }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  await mockResponse(page, "auth/me", { message: "Please log in.", code: "unauthorized" }, 401);
  await page.goto("/auth/verify?token=invented");
  await expect(page.getByRole("heading", { name: "Verification failed" })).toBeVisible();
});

// proves: verify-retry
test("a login link that fails for a temporary reason can be retried", async ({ page }) => {
  const again = page.getByRole("button", { name: "Try again", exact: true });
  const why = page.getByRole("status").locator("p");
  await mockError(page, "auth/verify?*", 503, "Kith is busy.");
  await page.goto("/auth/verify?token=invented");
  await expect(why).toHaveText("Kith is busy.");
  await expect(page).toHaveURL("/auth/verify");
  await mockError(page, "auth/verify?*", 429, "Too many tries.");
  await again.click();
  await expect(why).toHaveText("Too many tries.");
  await page.route("**/api/auth/verify?*", (route) => route.abort());
  await again.click();
  await expect(why).toHaveText("An error occurred during verification");
  await mockResponse(page, "auth/verify?*", { message: "You are logged in." });
  const requested = page.waitForRequest("**/api/auth/verify?token=invented");
  await again.click();
  await requested;
  await expect(page.getByRole("heading", { name: "Success!", exact: true })).toBeVisible();
});

// proves: verify-retry
test("an email that could not be checked stays in its field", async ({ page }) => {
  const error = { message: "Which address?", code: "confirm_email" };
  await mockResponse(page, "auth/verify?*", error, 409);
  await page.goto("/auth/verify?token=invented");
  const email = page.getByLabel("Email", { exact: true });
  const next = page.getByRole("button", { name: "Continue", exact: true });
  await email.fill("ada@example.org");
  await mockError(page, "auth/verify", 503, "Kith is busy.");
  await next.click();
  await expect(page.getByText("Kith is busy.", { exact: true })).toBeVisible();
  await page.route("**/api/auth/verify", (route) => route.abort());
  await next.click();
  await expect(page.getByText("An error occurred during verification")).toBeVisible();
  await expect(email).toHaveValue("ada@example.org");
  await mockResponse(page, "auth/verify", { message: "You are logged in." });
  await next.click();
  await expect(page.getByRole("heading", { name: "Success!", exact: true })).toBeVisible();
});
