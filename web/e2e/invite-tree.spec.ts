import { expect, expectAccessible, signUp, test } from "./test";

// The tests use the invite code of the first start, and count all members.
test.use({ serverFor: "invite-tree" });

// proves: members-invited, members-list, admin-tabs
test("a moderator sees invited members, and gives no roles", async ({ founder, browser, kith }) => {
  const context = await browser.newContext({ baseURL: kith.url });
  const page = await context.newPage();
  await signUp(page, kith, "mia@example.org", kith.inviteCode);
  const mia = (await (await page.request.get("/api/auth/me")).json()) as {
    id: string;
    username: string;
  };
  const made = await page.request.post("/api/invites");
  const { code } = (await made.json()) as { code: string };
  const other = await browser.newContext({ baseURL: kith.url });
  const friend = await other.newPage();
  await signUp(friend, kith, "vic@example.org", code);
  const vic = (await (await friend.request.get("/api/auth/me")).json()) as { username: string };
  await friend.goto(`/profile/${vic.username}`);
  const inviter = friend.getByRole("link", { name: `@${mia.username}`, exact: true });
  await expect(inviter).toHaveAttribute("href", `/profile/${mia.username}`);

  const role = { role: "moderator" };
  const given = await founder.request.put(`/api/admin/members/${mia.id}/role`, { data: role });
  expect(given.status()).toBe(204);
  await page.goto("/admin");
  await page.getByRole("tab", { name: "Members" }).click();
  const all = page.getByRole("list", { name: "Members", exact: true }).locator("> li");
  await expect(all).toHaveCount(3);
  const ofVic = all.filter({ hasText: `@${vic.username}` });
  await expect(ofVic).toContainText(`invited by @${mia.username}`);
  await expect(ofVic.getByRole("button")).toHaveText([
    "Suspend",
    "Freeze invites",
    "Invited members",
  ]);
  await page.getByRole("button", { name: `Invited members: @${mia.username}` }).click();
  const letIn = page.getByRole("list", { name: `Members invited by @${mia.username}` });
  await expect(letIn.locator("> li")).toHaveCount(1);
  await expect(letIn).toContainText(`@${vic.username}`);
  await expect(page.getByRole("button", { name: "Back to all members" })).toBeFocused();
  await expectAccessible(page, "the members that a member invited");
  await letIn.getByRole("button", { name: /^Invited members/ }).click();
  await expect(
    page.getByText("No one has joined with their invites", { exact: true }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Back to all members" }).click();
  await expect(all).toHaveCount(3);
  // The focus returns to the button of the list that was opened first.
  await expect(
    page.getByRole("button", { name: `Invited members: @${mia.username}` }),
  ).toBeFocused();
  const search = page.getByRole("main").getByRole("searchbox");
  await search.pressSequentially(mia.username);
  await expect(all).toHaveCount(1);
  await expect(search).toBeFocused();
  await context.close();
  await other.close();
});
