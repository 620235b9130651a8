import { expectToast, getToast } from "./mock-api";
import { expect, type Page, test } from "./test";

async function raise(page: Page) {
  await page.getByRole("button", { name: "Join waitlist", exact: true }).click();
  await expectToast(page, "Email required", "Please enter your email address.");
}

// proves: toast-duration
test("a toast disappears after five seconds", async ({ page }) => {
  await page.clock.install();
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Join waitlist", exact: true })).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  await raise(page);
  await page.clock.runFor(4_900);
  await expect(getToast(page)).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(getToast(page)).toHaveCount(0);
});

// proves: toast-one
test("a new toast replaces the old one", async ({ page }) => {
  await page.goto("/");
  await raise(page);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.getByRole("button", { name: "Send magic link", exact: true }).click();
  await expectToast(page, "Invite code required", "Please enter your invite code.");
});

// proves: toast-swipe
test("a swipe to the right dismisses a toast", async ({ page }) => {
  await page.goto("/");
  for (const [distance, left] of [
    [40, 1],
    [60, 0],
  ] as const) {
    await raise(page);
    const box = await getToast(page).boundingBox();
    if (!box) throw new Error("The toast is not rendered.");
    const [x, y] = [box.x + 30, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let moved = 10; moved <= distance; moved += 10) await page.mouse.move(x + moved, y);
    await page.mouse.up();
    await page.waitForTimeout(300);
    await expect(getToast(page)).toHaveCount(left);
  }
});

// proves: toast-f8
test("F8 focuses the toasts", async ({ page }) => {
  await page.goto("/");
  await raise(page);
  await page.keyboard.press("F8");
  const focused = page.locator(":focus");
  await expect(focused).toContainText("Email required");
});
