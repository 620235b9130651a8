import { expectError, expectToast, holdResponse, mockError } from "./mock-api";
import { expect, type Page, test } from "./test";

/** Some browsers block the storage of sites, and windows inside apps may have none. */
for (const kind of ["blocks", "has no"]) {
  // proves: storage-blocked
  test(`a browser that ${kind} storage shows every page`, async ({ page }) => {
    await page.addInitScript((isBlocked) => {
      const get = () => {
        if (isBlocked) throw new DOMException("Access is denied.", "SecurityError");
        return null;
      };
      Object.defineProperty(globalThis, "localStorage", { get });
    }, kind === "blocks");
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
    await page.goto("/terms");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.goto("/auth/verify?token=abc");
    await expect(page).not.toHaveURL(/token/u);
  });
}

// proves: landing-stats, landing-logo, landing-login-button
test("the landing page has the counts and the login button", async ({ page }) => {
  await page.goto("/");
  for (const [value, label] of [
    ["100%", "Human"],
    ["0", "Bots"],
    ["∞", "Real"],
  ] as const) {
    const figure = page.locator("dl > div").filter({ has: page.getByText(label, { exact: true }) });
    await expect(figure.locator("dd")).toHaveText(value);
  }
  const head = page.getByRole("banner");
  await expect(head.getByRole("img", { name: "Kith" })).toBeVisible();
  const login = head.getByRole("button", { name: "Login", exact: true });
  const [box, width] = [await login.boundingBox(), page.viewportSize()?.width ?? 0];
  expect(box?.y).toBeLessThan(120);
  expect(box?.x).toBeGreaterThan(width / 2);
  await login.click();
  await expect(page.getByRole("dialog", { name: "Welcome back", exact: true })).toBeVisible();
});

// proves: members-only-queries, me-401-is-visitor, logged-in-by-call
test("a visitor's page requests the session once, and nothing else", async ({ page }) => {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) calls.push(pathname);
  });
  for (const path of ["/", "/discover", "/notifications", "/invites", "/profile/founder"]) {
    const requested = page.waitForResponse("**/api/auth/me");
    await page.goto(path);
    expect((await requested).status()).toBe(401);
    await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expect(page.getByRole("alert")).toHaveCount(0);
    expect(calls.splice(0)).toEqual(["/api/auth/me"]);
  }
});

// proves: waitlist-form, waitlist-email-type, waitlist-required, waitlist-pending
// proves: waitlist-joined, waitlist-toast
test("joining the waitlist, with all texts", async ({ page }) => {
  await page.goto("/");
  const field = page.getByLabel("Email address");
  await expect(field).toHaveAttribute("type", "email");
  await page.getByRole("button", { name: "Join waitlist", exact: true }).click();
  await expectToast(page, "Email required", "Please enter your email address.");
  const release = await holdResponse(page, "waitlist");
  await field.fill("someone@example.com");
  await page.getByRole("button", { name: "Join waitlist", exact: true }).click();
  await expect(page.getByRole("button", { name: "Joining...", exact: true })).toBeDisabled();
  await release();
  await expectToast(page, "You're on the list!", "We'll let you know when it's your turn.");
  const promise = page.getByRole("main").getByRole("status");
  await expect(promise).toContainText("We'll email someone@example.com when it's your turn.");
  await expect(field).toBeHidden();
});

// proves: waitlist-refused, waitlist-failed, error-destructive
test("a waitlist that rejects an email", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Email address").fill("someone@example.com");
  const join = page.getByRole("button", { name: "Join waitlist", exact: true });
  await mockError(page, "waitlist", 422, "This address is odd.");
  await join.click();
  await expectError(page, "This address is odd.");
  await mockError(page, "waitlist", 500);
  await join.click();
  await expectError(page, "Failed to join waitlist. Please try again.");
});

async function openDialog(page: Page) {
  await page.goto("/");
  await page.getByRole("button", { name: "Login", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Welcome back", exact: true });
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  const email = dialog.getByLabel("Email", { exact: true });
  const code = dialog.getByLabel("Invite code");
  return { dialog, button, email, code };
}

const toLogin = "Already have an account? Log in";
const toSignUp = "New user? Sign up with invite code";

// proves: login-signup-default, login-invite-hint, login-invite-placeholder, login-email-type
// proves: login-legal, login-to-login, login-to-signup, login-invite-required
// proves: login-email-required
test("the forms of the login dialog", async ({ page }) => {
  const { dialog, button, email, code } = await openDialog(page);
  await expect(code).toHaveAttribute("placeholder", /^[A-Z0-9]{12}$/);
  await expect(code).toHaveAccessibleDescription(/invite-only.*code comes from a friend/);
  await expect(email).toHaveAttribute("type", "email");
  await expect(dialog.getByRole("link", { name: "Terms" })).toHaveAttribute("href", "/terms");
  await expect(dialog.getByRole("link", { name: "Privacy Policy" })).toHaveAttribute(
    "href",
    "/privacy",
  );
  await button("Send magic link").click();
  await expectToast(page, "Invite code required", "Please enter your invite code.");
  await code.fill("ABCD2345EFGH");
  await button("Send magic link").click();
  await expectToast(page, "Email required", "Please enter your email address.");
  await button(toLogin).click();
  await expect(code).toBeHidden();
  await button(toSignUp).click();
  await expect(code).toBeVisible();
});

// proves: login-pending, login-sent, login-sent-expiry, login-toast-signup, login-back
// proves: login-close-resets
test("a sign-up link is requested", async ({ page }) => {
  const { dialog, button, email, code } = await openDialog(page);
  const release = await holdResponse(page, "auth/request-magic-link");
  const request = page.waitForRequest("**/api/auth/request-magic-link");
  await code.fill("abcd2345efgh");
  await email.fill("stranger@example.com");
  await button("Send magic link").click();
  await expect(button("Sending...")).toBeDisabled();
  expect((await request).postDataJSON()).toEqual({
    email: "stranger@example.com",
    inviteCode: "ABCD2345EFGH",
  });
  await release();
  await expectToast(page, "Check your email!", "We sent you a magic link to log in.");
  await expect(dialog.getByText("Check your email", { exact: true })).toBeVisible();
  await expect(dialog.getByText("stranger@example.com", { exact: true })).toBeVisible();
  await expect(dialog.getByText("The link expires in 15 minutes.")).toBeVisible();
  await button("Back to login").click();
  await expect(email).toHaveValue("");
  await expect(code).toHaveValue("ABCD2345EFGH");

  await button(toLogin).click();
  await email.fill("stranger@example.com");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(code).toHaveValue("");
  await expect(email).toHaveValue("");
  await page.unroute("**/api/auth/request-magic-link");
  await page.route("**/api/auth/request-magic-link", (route) => route.fulfill({ json: {} }));
  await code.fill("ABCD2345EFGH");
  await email.fill("stranger@example.com");
  await button("Send magic link").click();
  await expect(button("Back to login")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(email).toHaveValue("");
  await expect(code).toHaveValue("");
});

// proves: login-toast-login, login-back
test("a login link is requested", async ({ page }) => {
  const { button, email, code } = await openDialog(page);
  await page.route("**/api/auth/request-login-link", (route) => route.fulfill({ json: {} }));
  await button(toLogin).click();
  await email.fill("friend@example.com");
  const request = page.waitForRequest("**/api/auth/request-login-link");
  await button("Send magic link").click();
  expect((await request).postDataJSON()).toEqual({ email: "friend@example.com" });
  await expectToast(
    page,
    "Check your email!",
    "If an account exists, we've sent you a magic link.",
  );
  await button("Back to login").click();
  await expect(email).toHaveValue("");
  await expect(code).toBeHidden();
});

// proves: login-refused, login-failed-signup, login-failed-login
test("a login link that cannot be sent", async ({ page }) => {
  const { button, email, code } = await openDialog(page);
  await code.fill("ABCD2345EFGH");
  await email.fill("stranger@example.com");
  await mockError(page, "auth/request-*", 400, "This code was sent to another email.");
  await button("Send magic link").click();
  await expectError(page, "This code was sent to another email.");
  await mockError(page, "auth/request-*", 502);
  await button("Send magic link").click();
  await expectError(page, "Failed to send magic link. Please try again.");
  await button(toLogin).click();
  await button("Send magic link").click();
  await expectError(page, "Failed to send login link. Please try again.");
});
