import { ada, answer, beAda, bob, expectError, expectToast, refuse } from "./invented";
import { caseOf, entryOf, recordOf } from "./invented-moderation";
import { expect, expectAccessible, type Page, signUp, test } from "./test";

test.use({ serverFor: "admin" });

async function open(page: Page, role: "moderator" | "admin", tab = "") {
  await beAda(page, { role });
  await answer(page, "admin/reports?*", [caseOf("11"), caseOf("12")]);
  await answer(page, "admin/members?*", [recordOf()]);
  await answer(page, "admin/waitlist?*", []);
  await answer(page, "admin/audit?*", []);
  await page.goto(`/admin${tab}`);
  await expect(page.getByRole("heading", { name: "Moderation", exact: true })).toBeVisible();
}

/** Lets calls to an address work that answer nothing. */
const done = (page: Page, address: string) =>
  page.route(`**/api/${address}`, (route) => route.fulfill({ status: 204 }));
const rows = (page: Page, list: string) =>
  page.getByRole("list", { name: list, exact: true }).locator("> li");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

// proves: route-admin, admin-link
test("to members there is no such page", async ({ page }) => {
  await beAda(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await button(page, "Account menu of Ada Lovelace").click();
  await expect(page.getByRole("menuitem", { name: "Settings" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Moderation" })).toHaveCount(0);
  expect(asked.filter((url) => url.includes("/api/admin/"))).toEqual([]);
});

// proves: admin-link, admin-tabs
test("a moderator comes to the reports, an admin to four tabs", async ({ page }) => {
  await open(page, "moderator");
  await expect(page.getByRole("tab")).toHaveText(["Reports", "Members"]);
  await expect(rows(page, "Reports")).toHaveCount(2);
  await page.unrouteAll();
  await open(page, "admin");
  await page.goto("/");
  await button(page, "Account menu of Ada Lovelace").click();
  await page.getByRole("menuitem", { name: "Moderation" }).click();
  await expect(page).toHaveURL("/admin");
  await expect(page.getByRole("tab")).toHaveText(["Reports", "Members", "Waitlist", "Audit log"]);
});

// proves: queue-case
test("a case says what a moderator needs to decide", async ({ page }) => {
  const frozen = {
    suspendedAt: "2026-11-21T09:30:00.000Z",
    invitesFrozenAt: "x",
    role: "moderator",
  };
  await open(page, "moderator");
  await answer(page, "admin/reports?*", [caseOf("11"), caseOf("12", { member: recordOf(frozen) })]);
  await page.reload();
  const [first, second] = [rows(page, "Reports").first(), rows(page, "Reports").last()];
  await expect(first).toContainText("Post, reported 3 times");
  await expect(first).toContainText("Spam (2), Something else (1)");
  await expect(first).toContainText("@bob, joined March 2026, invited by @eve");
  await expect(first).toContainText("Cheap watches 11");
  await expect(first.getByRole("link", { name: "Image 1" })).toHaveAttribute(
    "href",
    "/favicon.svg",
  );
  await expect(first).toContainText("Something else: The tenth one today");
  await expect(second).toContainText("SuspendedInvites frozen");
  await expect(second).toContainText("Only somebody with a higher role than @bob");
  await expect(second.getByRole("button")).toHaveText(["Dismiss"]);
  await expect(first.getByRole("button")).toHaveText([
    "Dismiss",
    "Remove post",
    "Suspend",
    "Freeze invites",
  ]);
});

// proves: admin-asks
test("a deed asks first, says what will happen, and takes a reason", async ({ page }) => {
  await open(page, "moderator");
  const remove = rows(page, "Reports").first().getByRole("button", { name: "Remove post" });
  await remove.click();
  const dialog = page.getByRole("dialog", { name: "Remove this post?", exact: true });
  await expect(dialog).toHaveAccessibleDescription(
    /disappears for everyone.*The author is not told/,
  );
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await remove.click();
  await dialog.getByLabel("Why? (optional, for the audit log)").fill("Spam");
  await done(page, "admin/reports/11/resolve");
  await answer(page, "admin/reports?*", [caseOf("12")]);
  const asked = page.waitForRequest("**/api/admin/reports/11/resolve");
  await dialog.getByRole("button", { name: "Remove post", exact: true }).click();
  expect((await asked).postDataJSON()).toEqual({ action: "remove", note: "Spam" });
  await expectToast(page, "Post removed");
  await expect(rows(page, "Reports")).toHaveCount(1);
});

// proves: resolve-once
test("who decides too late is told so, and sees what is left", async ({ page }) => {
  await open(page, "moderator");
  await rows(page, "Reports").first().getByRole("button", { name: "Dismiss" }).click();
  const sentence = "Somebody has decided about these reports already.";
  await refuse(page, "admin/reports/11/resolve", 409, sentence);
  await answer(page, "admin/reports?*", []);
  await page.getByRole("dialog").getByRole("button", { name: "Dismiss", exact: true }).click();
  await expectError(page, sentence);
  await expect(page.getByText("No open reports", { exact: true })).toBeVisible();
});

// proves: admin-undo, admin-asks
test("what was decided can be seen, and a suspension be lifted", async ({ page }) => {
  await open(page, "moderator");
  const resolution = {
    action: "suspend",
    note: "Enough",
    createdAt: "2026-11-21T09:30:00.000Z",
    by: bob,
  };
  const member = recordOf({ suspendedAt: "2026-11-21T09:30:00.000Z" });
  await answer(page, "admin/reports?state=resolved*", [caseOf("13", { resolution, member })]);
  await button(page, "Resolved").click();
  const row = rows(page, "Reports");
  await expect(row).toContainText("Member suspended by @bob");
  await expect(row).toContainText("Enough");
  await row.getByRole("button", { name: "Lift suspension" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox")).toHaveCount(0);
  await done(page, "admin/members/2/suspension");
  const asked = page.waitForRequest("**/api/admin/members/2/suspension");
  await page.getByRole("dialog").getByRole("button", { name: "Lift suspension" }).click();
  expect((await asked).method()).toBe("DELETE");
  await expectToast(page, "Suspension lifted");
});

// proves: members-list, admin-undo
test("an admin finds a member and gives a role", async ({ page }) => {
  await open(page, "admin", "?tab=members");
  const row = rows(page, "Members");
  await expect(row.getByRole("button")).toHaveText([
    "Suspend",
    "Freeze invites",
    "Make moderator",
    "Make admin",
    "Whom they let in",
  ]);
  const asked = page.waitForRequest((request) => request.url().includes("query=bo"));
  await page.getByRole("main").getByRole("searchbox").fill("bo");
  await asked;
  await row.getByRole("button", { name: "Make moderator" }).click();
  const dialog = page.getByRole("dialog", { name: "Make @bob a moderator?", exact: true });
  await done(page, "admin/members/2/role");
  await answer(page, "admin/members?*", [recordOf({ role: "moderator" })]);
  const given = page.waitForRequest("**/api/admin/members/2/role");
  await dialog.getByRole("button", { name: "Make moderator" }).click();
  expect((await given).postDataJSON()).toEqual({ role: "moderator", note: "" });
  await expectToast(page, "@bob: Moderator");
  await expect(row.getByRole("button", { name: "Make member" })).toBeVisible();
});

// proves: admin-waitlist, waitlist-vouched
test("an admin admits somebody who waits", async ({ page }) => {
  await open(page, "admin");
  const joinedAt = "2026-11-21T09:30:00.000Z";
  const entry = { id: "5", email: "vic@example.org", joinedAt, vouchedBy: [ada, bob] };
  await answer(page, "admin/waitlist?*", [entry]);
  await page.getByRole("tab", { name: "Waitlist" }).click();
  await expect(page.getByText("Vouched for by @ada, @bob", { exact: true })).toBeVisible();
  await button(page, "Admit vic@example.org").click();
  const dialog = page.getByRole("alertdialog", { name: "Send an invite?", exact: true });
  await expect(dialog).toHaveAccessibleDescription(/vic@example.org gets a mail/);
  await done(page, "admin/waitlist/5/admit");
  await dialog.getByRole("button", { name: "Send invite", exact: true }).click();
  await expectToast(page, "Invite sent", "vic@example.org");
  await expect(page.getByText("Nobody waits", { exact: true })).toBeVisible();
});

// proves: audit-row, admin-states
test("the audit log is read in sentences, page by page", async ({ page }) => {
  await open(page, "admin");
  const first = [
    entryOf("60", {
      actor: bob,
      action: "change_role",
      member: bob,
      detail: "admin",
      note: "Helps",
    }),
    ...Array.from({ length: 49 }, (_, index) => entryOf(String(59 - index))),
  ];
  await page.route("**/api/admin/audit?*", (route) => {
    const isFirst = !route.request().url().includes("cursor");
    const headers = isFirst
      ? { link: '</api/admin/audit?limit=50&cursor=11>; rel="next"' }
      : undefined;
    const json = isFirst ? first : [entryOf("10")];
    return route.fulfill({ json, ...(headers && { headers }) });
  });
  await page.getByRole("tab", { name: "Audit log" }).click();
  await expect(rows(page, "Audit log").first()).toContainText("@bob gave @bob the role admin");
  await expect(rows(page, "Audit log").nth(1)).toContainText("The operator made invite codes: 1");
  await button(page, "Load more").click();
  await expect(rows(page, "Audit log")).toHaveCount(51);
  await expect(rows(page, "Audit log").last()).toBeFocused();
});

// proves: admin-states
test("lists that are empty or fail say so", async ({ page }) => {
  await open(page, "admin");
  await page.getByRole("tab", { name: "Audit log" }).click();
  await expect(page.getByText("Nothing was done yet", { exact: true })).toBeVisible();
  await answer(page, "admin/members?*", [], 503);
  await page.getByRole("tab", { name: "Members" }).click();
  // The list may be asked for only after its code has come.
  await expect(button(page, "Retry")).toBeVisible();
  await answer(page, "admin/members?*", []);
  await button(page, "Retry").click();
  await expect(page.getByText("Nobody is called that", { exact: true })).toBeVisible();
});

// proves: admin-tabs
test("the pages of moderators can be used by everybody", async ({ page }) => {
  await open(page, "admin");
  await expect(rows(page, "Reports")).toHaveCount(2);
  await expectAccessible(page, "the reports");
  await rows(page, "Reports").first().getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByRole("dialog", { name: "Suspend @bob?" })).toBeVisible();
  await expectAccessible(page, "a deed's dialog");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Members" }).click();
  await expect(rows(page, "Members")).toHaveCount(1);
  await expectAccessible(page, "the members");
  await answer(page, "admin/audit?*", [entryOf("1"), entryOf("2", { note: "Why not" })]);
  await page.getByRole("tab", { name: "Audit log" }).click();
  await expect(rows(page, "Audit log")).toHaveCount(2);
  await expectAccessible(page, "the audit log");
});

// proves: resolve-suspend, suspended-login, report-member
test("a reported member is suspended and cannot log in", async ({ founder, browser, kith }) => {
  const context = await browser.newContext({ baseURL: kith.url });
  const friend = await context.newPage();
  await signUp(friend, kith, "vic@example.org", kith.inviteCode);
  const me = (await (await friend.request.get("/api/auth/me")).json()) as {
    id: string;
    username: string;
  };
  const data = { userId: me.id, reason: "harassment", note: "See the bio" };
  await founder.request.post("/api/reports", { data });
  await founder.goto("/admin");
  const row = rows(founder, "Reports").filter({ hasText: `@${me.username}` });
  await expect(row).toContainText("Harassment or threats: See the bio");
  await row.getByRole("button", { name: "Suspend" }).click();
  await founder.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await expectToast(founder, "Member suspended");
  await expect(row).toHaveCount(0);
  await friend.goto("/");
  await expect(button(friend, "Login")).toBeVisible();
  await friend.goto(await kith.signInLink(me.username));
  await expect(
    friend.getByText("Your account is suspended, so you cannot log in for now."),
  ).toBeVisible();
  await founder.getByRole("tab", { name: "Audit log" }).click();
  await expect(rows(founder, "Audit log").nth(1)).toContainText(
    `@founder suspended @${me.username}`,
  );
  await context.close();
});
