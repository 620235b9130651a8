import { mockResponse, getToast } from "./mock-api";
import { expect, type Page, test } from "./test";

async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Send magic link", exact: true }).click();
  await expect(page.getByRole("button", { name: "Back to login", exact: true })).toBeVisible();
}

// proves: login-next-mail, link-next-mail
test("a second login link within a minute is not promised, whether the email has an account or not", async ({
  page,
}) => {
  await page.goto("/?login=1");
  await askForLink(page, "nobody@example.com");
  await expect(
    page.getByText(/^No email yet\? You can ask for another one in (60|5\d) s\.$/),
  ).toBeVisible();
  // The toast about the first email disappears.
  await expect(getToast(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Back to login", exact: true }).click();
  await askForLink(page, "Nobody@example.com");
  await expect(
    page.getByText(
      /^You asked less than a minute ago, so we didn't send another email\. You can ask again in [1-5]\d s\.$/,
    ),
  ).toBeVisible();
  await expect(page.getByText("Check your email!", { exact: true })).toHaveCount(0);
});

// proves: login-next-mail
test("another email can be requested after the countdown", async ({ page }) => {
  await page.clock.install();
  await mockResponse(page, "auth/request-login-link", { message: "", nextMailInSeconds: 60 });
  await page.goto("/?login=1");
  await askForLink(page, "ada@example.com");
  await page.clock.runFor(58_000);
  await expect(page.getByText(/in [12] s\.$/)).toBeVisible();
  await page.clock.runFor(3_000);
  const requested = page.waitForRequest("**/api/auth/request-login-link");
  await page.getByRole("button", { name: "Send another email", exact: true }).click();
  expect((await requested).postDataJSON()).toEqual({ email: "ada@example.com" });
  await expect(page.getByText(/^No email yet\?/)).toBeVisible();
});
