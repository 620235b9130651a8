import {
  ada,
  mockResponse,
  logInAsAda,
  bob,
  expectError,
  expectToast,
  holdResponse,
  mockError,
} from "./mock-api";
import { expect, expectAccessible, test } from "./test";

function inviteOf(id: string, more: object = {}) {
  const [day, code] = [86_400_000, `ABCD2345EFG${id}`];
  const createdAt = new Date(Date.now() - day).toISOString();
  const expiresAt = new Date(Date.now() + 6 * day).toISOString();
  return { id, code, isUsed: false, createdAt, expiresAt, usedAt: null, usedBy: null, ...more };
}

// proves: invites-title, invites-next-month, invites-active, invites-used
test("invite codes are listed with their state", async ({ page }) => {
  await logInAsAda(page, { invitesAvailable: 2 });
  await mockResponse(page, "invites", [
    inviteOf("2", { expiresAt: new Date(2099, 4, 17, 12).toISOString() }),
    inviteOf("3", { expiresAt: "2026-01-01T00:00:00.000Z" }),
    inviteOf("4", { isUsed: true, usedAt: new Date(2026, 2, 5, 12).toISOString(), usedBy: bob }),
    inviteOf("5", { isUsed: true }),
  ]);
  await page.goto("/invites");
  await expect(page.getByRole("heading", { name: "Invite Friends", exact: true })).toBeVisible();
  const available = page.getByRole("region", { name: "Available invites" });
  await expect(available).toContainText("2invites available");
  await expect(available).toContainText("You get 3 more invites next month.");
  const active = page.getByRole("region", { name: "Active Invites", exact: true });
  await expect(active.getByRole("listitem")).toHaveCount(1);
  await expect(active.getByText("ABCD2345EFG2", { exact: true })).toBeVisible();
  await expect(active.getByText("Expires May 17, 2099", { exact: true })).toBeVisible();
  const used = page.getByRole("region", { name: "Used Invites", exact: true });
  const rows = used.getByRole("listitem");
  await expect(rows).toHaveText([
    /^ABCD2345EFG4Used on March 5, 2026 by BobClaimed$/,
    /^ABCD2345EFG5Used on UnknownClaimed$/,
  ]);
  const code = used.getByText("ABCD2345EFG4", { exact: true });
  await expect(code).toHaveCSS("text-decoration-line", "line-through");
});

// proves: freeze-shown
test("a member whose invites are frozen sees a notice", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await logInAsAda(page, { invitesAvailable: 0, invitesFrozen: true });
  await page.goto("/invites");
  const available = page.getByRole("region", { name: "Available invites" });
  await expect(available).toContainText("A moderator has frozen your invites.");
  await expect(available).not.toContainText("available");
  await expect(
    page.getByRole("button", { name: "Generate Invite Code", exact: true }),
  ).toBeDisabled();
  await expect(page.getByRole("complementary", { name: "More" })).toContainText(
    "A moderator has frozen your invites.",
  );
});

// proves: invites-generate, invites-generate-disabled, invites-copy, call-create-invite
test("an invite code is created and copied", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  await logInAsAda(page, { invitesAvailable: 1 });
  await page.goto("/invites");
  const generate = page.getByRole("button", { name: "Generate Invite Code", exact: true });
  await expect(generate).toBeEnabled();
  // Holds back the new code instead of the list.
  await expect(page.getByText("No active invites.")).toBeVisible();
  const release = await holdResponse(page, "invites");
  await generate.click();
  await expect(page.getByRole("button", { name: "Generating...", exact: true })).toBeDisabled();
  await page.route("**/api/invites", (route) => route.fulfill({ json: [inviteOf("2")] }));
  await mockResponse(page, "auth/me", { ...ada, invitesAvailable: 0 });
  await release(inviteOf("2"));
  await expectToast(page, "Invite created");
  await expect(generate).toBeDisabled();
  const row = page.getByRole("region", { name: "Active Invites" }).getByRole("listitem");
  const copied = row.getByRole("button", { name: "Copied", exact: true });
  await expect(row).toHaveCount(1);
  await page.clock.pauseAt(Date.now() + 60_000);
  await row.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(copied).toBeVisible();
  await expectToast(page, "Copied", "Invite code ABCD2345EFG2 is on your clipboard.");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("ABCD2345EFG2");
  await page.clock.runFor(1_950);
  await expect(copied).toBeVisible();
  await page.clock.runFor(100);
  await expect(row.getByRole("button", { name: "Copy", exact: true })).toBeVisible();
});

// proves: invites-revoke, invites-revoked, call-revoke-invite
test("a code is revoked after a confirmation, and another one can be created", async ({
  founder: page,
}) => {
  await page.goto("/invites");
  const active = page.getByRole("region", { name: "Active Invites", exact: true });
  const available = page.getByRole("region", { name: "Available invites" });
  const generate = page.getByRole("button", { name: "Generate Invite Code", exact: true });
  const before = parseInt((await available.textContent()) ?? "", 10);
  await generate.click();
  await expectToast(page, "Invite created");
  await expect(available).toContainText(new RegExp(`^${before - 1}invite`));
  const rows = await active.getByRole("listitem").count();
  const code =
    (await active.getByRole("listitem").first().locator("p").first().textContent()) ?? "";
  const revoke = active.getByRole("button", { name: `Revoke ${code}`, exact: true });
  const question = page.getByRole("alertdialog", { name: "Revoke this code?" });
  await revoke.press("Enter");
  await expect(question).toHaveAccessibleDescription(new RegExp(code));
  await expect(question.getByRole("button", { name: "Cancel", exact: true })).toBeFocused();
  await expectAccessible(page, "the question before revoking");
  await page.keyboard.press("Escape");
  await expect(revoke).toBeFocused();
  await expect(active.getByRole("listitem")).toHaveCount(rows);

  await revoke.click();
  await question.getByRole("button", { name: "Revoke", exact: true }).click();
  await expectToast(page, "Invite revoked");
  await expect(question).toBeHidden();
  await expect(active.getByText(code)).toHaveCount(0);
  await expect(available).toContainText(new RegExp(`^${before}invite`));
  await expect(page.getByRole("main")).toBeFocused();
});

// proves: invites-revoke-failed
test("a code that cannot be revoked shows the reason", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "invites", [inviteOf("2")]);
  await page.goto("/invites");
  const question = page.getByRole("alertdialog");
  const confirm = question.getByRole("button", { name: "Revoke", exact: true });
  await mockError(page, "invites/2", 503);
  await page.getByRole("button", { name: "Revoke ABCD2345EFG2", exact: true }).click();
  await confirm.click();
  await expectError(page, "Failed to revoke invite code. Please try again.");
  await expect(question).toBeVisible();
  await mockError(page, "invites/2", 409, "A friend has joined with this code already.");
  await mockResponse(page, "invites", [inviteOf("2", { isUsed: true, usedBy: bob })]);
  await confirm.click();
  await expectError(page, "A friend has joined with this code already.");
  await expect(question).toBeHidden();
  const used = page.getByRole("region", { name: "Used Invites", exact: true });
  await expect(used.getByText("ABCD2345EFG2", { exact: true })).toBeVisible();
});
