import { mockResponse, logInAsAda, expectError, expectToast, mockError } from "./mock-api";
import { expect, expectAccessible, test } from "./test";

function vouchOf(id: number) {
  return {
    id: String(id),
    email: `friend-${id}@example.org`,
    createdAt: "2026-11-21T09:30:00.000Z",
  };
}

// proves: vouch-form, vouch-list, vouch-back, call-vouch
test("a member vouches for a friend on the waitlist, and withdraws it", async ({
  founder: page,
}) => {
  const email = `friend-${Date.now()}@example.org`;
  await page.goto("/invites");
  const region = page.getByRole("region", { name: "Vouch for a friend", exact: true });
  const field = region.getByLabel("Your friend's email");
  const button = region.getByRole("button", { name: "Vouch", exact: true });
  await field.fill("not-an-email");
  await button.click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();
  await field.fill(` ${email.toUpperCase()} `);
  await button.click();
  await expectToast(page, "You vouched for them", email);
  await expect(field).toHaveValue("");
  const row = region.getByRole("listitem").filter({ hasText: email });
  await expect(row).toHaveCount(1);
  await expectAccessible(page, "the invites with a vouch");
  await page.reload();
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: `Withdraw your vouch for ${email}` }).press("Enter");
  await expectToast(page, "Vouch withdrawn", email);
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

// proves: vouch-failed
test("a vouch that fails shows the reason", async ({ page }) => {
  await logInAsAda(page);
  const vouch = { id: "5", email: "vic@example.org", createdAt: "2026-11-21T09:30:00.000Z" };
  await mockResponse(page, "waitlist/vouches?*", [vouch]);
  await page.goto("/invites");
  const region = page.getByRole("region", { name: "Vouch for a friend", exact: true });
  await region.getByLabel("Your friend's email").fill("eve@example.org");
  await mockError(page, "waitlist/vouches", 503);
  await region.getByRole("button", { name: "Vouch", exact: true }).click();
  await expectError(page, "Failed to vouch. Please try again.");
  await mockError(page, "waitlist/vouches", 429, "Please wait a moment.");
  await region.getByRole("button", { name: "Vouch", exact: true }).click();
  await expectError(page, "Please wait a moment.");
  await mockError(page, "waitlist/vouches/5", 503);
  await region.getByRole("button", { name: /^Withdraw/u }).click();
  await expectError(page, "Failed to withdraw your vouch. Please try again.");
  await mockResponse(page, "waitlist/vouches?*", []);
  await mockError(page, "waitlist/vouches/5", 404);
  await region.getByRole("button", { name: /^Withdraw/u }).click();
  await expect(region.getByRole("listitem")).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

// proves: vouch-list
test("more than fifty vouches are paginated", async ({ page }) => {
  await logInAsAda(page);
  await page.route("**/api/waitlist/vouches?*", (route) => {
    if (route.request().url().includes("cursor=11")) return route.fulfill({ json: [vouchOf(10)] });
    const headers = { link: '</api/waitlist/vouches?limit=50&cursor=11>; rel="next"' };
    const json = Array.from({ length: 50 }, (_, index) => vouchOf(60 - index));
    return route.fulfill({ json, headers });
  });
  await page.goto("/invites");
  const region = page.getByRole("region", { name: "Vouch for a friend", exact: true });
  await expect(region.getByRole("listitem")).toHaveCount(50);
  await region.getByRole("button", { name: "Load more", exact: true }).click();
  await expect(region.getByRole("listitem").last()).toContainText("friend-10@example.org");
  await expect(
    region.getByRole("button", { name: "Withdraw your vouch for friend-10@example.org" }),
  ).toBeFocused();
  await expect(region.getByRole("button", { name: "Load more" })).toHaveCount(0);
});
