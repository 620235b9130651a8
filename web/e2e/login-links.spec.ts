import { startKith } from "./server";
import { expect, test } from "./test";

// proves: verify-elsewhere, verify-strips-query, call-verify-confirm
test("a login link opened in another browser asks for its email", async ({ browser }) => {
  const kith = await startKith("--link-binding=strict");
  const email = "elsewhere@example.com";
  const asking = await browser.newPage({ baseURL: kith.url });
  await asking.goto("/");
  await asking.getByRole("button", { name: "Login" }).click();
  await asking.getByLabel("Invite code").fill(kith.inviteCode);
  await asking.getByLabel("Email", { exact: true }).fill(email);
  await asking.getByRole("button", { name: "Send magic link" }).click();
  const link = await kith.mailedLink(email);

  const other = await browser.newPage({ baseURL: kith.url });
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "Is this you?" })).toBeVisible();
  await expect(other).toHaveURL("/auth/verify");
  await other.getByLabel("Email", { exact: true }).fill("guess@example.com");
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByLabel("Email", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await other.getByLabel("Email", { exact: true }).fill(email);
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByRole("heading", { name: "Success!" })).toBeVisible();
  await expect(other.getByRole("heading", { name: "Home" })).toBeVisible();
  // A used link gives no session, not even to the browser that requested it.
  await asking.goto(link);
  await expect(asking.getByRole("heading", { name: "Verification failed" })).toBeVisible();
  await asking.getByRole("link", { name: "Back to home" }).click();
  await expect(asking.getByRole("heading", { name: "The human network" })).toBeVisible();
  await kith.stop();
});

// proves: login-code-field, login-toast-gone, call-verify-code, link-used-by-code
test("the code in the email logs in the browser that requested it", async ({ browser }) => {
  const kith = await startKith("--link-binding=strict");
  const email = "coder@example.com";
  const page = await browser.newPage({ baseURL: kith.url });
  await page.goto("/");
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByLabel("Invite code").fill(kith.inviteCode);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Send magic link" }).click();
  const sent = page.getByText("Check your email!", { exact: true });
  await expect(sent).toBeVisible();
  // It would disappear after five seconds.
  await sent.hover();
  const code = page.getByLabel("Or enter the code from the email");
  await code.fill("AAAAAAAA");
  await page.getByRole("button", { name: "Log in with code" }).click();
  await expect(page.getByText("That code isn't right.")).toBeVisible();
  await expect(sent).toBeVisible();
  await code.fill(await kith.mailedCode(email));
  await code.press("Enter");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(sent).toHaveCount(0);
  await page.goto(await kith.mailedLink(email));
  await expect(page.getByRole("heading", { name: "Success!" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await kith.stop();
});
