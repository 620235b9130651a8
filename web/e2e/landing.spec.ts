import { expectToast } from "./mock-api";
import { expect, expectAccessible, test } from "./test";

// proves: visitor-landing, landing-video, landing-headline, landing-tagline, landing-call
// proves: landing-stats
test("a visitor sees the landing page at any URL", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  for (const path of ["/", "/invites", "/nowhere/at/all"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("The human network");
  }
  await expect(page.getByText("Real voices. Real connections. No bots.")).toBeVisible();
  await expect(page.getByText("Join the movement. Be among the first.")).toBeVisible();
  const figures = page.locator("dl > div");
  for (const [label, figure] of Object.entries({ Human: "100%", Bots: "0", Real: "∞" })) {
    const row = figures.filter({ has: page.getByText(label, { exact: true }) });
    await expect(row.locator("dd")).toHaveText(figure);
  }
  await expect(figures).toHaveCount(3);
  const video = page.locator("video");
  await expect(video).toHaveJSProperty("loop", true);
  await expect(video).toHaveJSProperty("muted", true);
  await expect
    .poll(() => video.evaluate((it: HTMLVideoElement) => it.currentTime))
    .toBeGreaterThan(0);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(video).toHaveJSProperty("paused", true);
  await page.keyboard.press("Escape");
  await expect(video).toHaveJSProperty("paused", false);
});

// proves: landing-still
test("the video does not play with reduced motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const films: string[] = [];
  page.on("request", (request) => {
    if (/\.(?:webm|mp4)$/.test(request.url())) films.push(request.url());
  });
  await page.goto("/");
  await expect(page.locator("video")).toHaveJSProperty("paused", true);
  await page.waitForLoadState("networkidle");
  expect(films).toEqual([]);
});

test("joining the waitlist", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Join waitlist" }).click();
  await expectToast(page, "Email required", "Please enter your email address.");
  await expect(page.getByLabel("Email address")).toBeFocused();
  await page.getByLabel("Email address").fill("someone@example.com");
  await page.getByRole("button", { name: "Join waitlist" }).click();
  await expectToast(page, "You're on the list!", "We'll let you know when it's your turn.");
  await expect(
    page.getByText("We'll email someone@example.com when it's your turn."),
  ).toBeVisible();
});

// proves: login-title, login-submit, login-invite-uppercase, login-to-login, login-sent-expiry
test("the login dialog", async ({ page }) => {
  await page.goto("/");
  const login = page.getByRole("button", { name: "Login" });
  await login.click();
  const dialog = page.getByRole("dialog", { name: "Welcome back" });
  await dialog.getByRole("button", { name: "Send magic link" }).click();
  await expectToast(page, "Invite code required", "Please enter your invite code.");
  await dialog.getByLabel("Invite code").fill("abcd2345efgh");
  await expect(dialog.getByLabel("Invite code")).toHaveValue("ABCD2345EFGH");
  await dialog.getByRole("button", { name: "Send magic link" }).click();
  await expectToast(page, "Email required", "Please enter your email address.");

  await dialog.getByRole("button", { name: "Already have an account? Log in" }).click();
  await expect(dialog.getByLabel("Invite code")).toBeHidden();
  await dialog.getByLabel("Email", { exact: true }).fill("nobody@example.com");
  await dialog.getByRole("button", { name: "Send magic link" }).click();
  const sent = "If an account exists, we've sent you a magic link.";
  await expectToast(page, "Check your email!", sent);
  await expect(dialog.getByText("expires in 15 minutes")).toBeVisible();
  await dialog.getByRole("button", { name: "Back to login" }).click();
  await expect(dialog.getByLabel("Email", { exact: true })).toHaveValue("");
  await expect(dialog.getByLabel("Invite code")).toBeHidden();

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(login).toBeFocused();
  await login.click();
  await expect(dialog.getByLabel("Invite code")).toHaveValue("");
});

// proves: login-address
test("/api/login opens the dialog in login mode", async ({ page }) => {
  await page.goto("/api/login");
  await expect(
    page.getByRole("button", { name: "New user? Sign up with invite code" }),
  ).toBeVisible();
});

// proves: route-verify, verify-no-token, verify-error, verify-strips-query
test("a login link without a token, and one with an unknown token", async ({ page }) => {
  await page.goto("/auth/verify");
  await expect(page.getByRole("heading", { name: "Verification failed" })).toBeVisible();
  await expect(page.getByText("No verification token found")).toBeVisible();
  await page.goto("/auth/verify?token=made-up");
  await expect(page.getByRole("heading", { name: "Verification failed" })).toBeVisible();
  await expect(page).toHaveURL("/auth/verify");
  await page.getByRole("link", { name: "Back to home" }).click();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
});

test("the pages for visitors are accessible", async ({ page }) => {
  test.slow();
  await page.goto("/");
  await expectAccessible(page, "landing");
  await page.getByRole("button", { name: "Login" }).click();
  await expectAccessible(page, "login dialog");
  await page.goto("/terms");
  await expectAccessible(page, "terms");
  await page.goto("/privacy");
  await expectAccessible(page, "privacy");
});
