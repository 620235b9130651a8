import type { Browser, Locator } from "@playwright/test";
import { expectToast } from "./mock-api";
import type { Kith } from "./server";
import { expect, expectLanding, type Page, post, signUp, test } from "./test";

// These tests use no mocks: decisions of moderators change what members of a real server see.
test.use({ serverFor: "admin-actions" });

const rows = (page: Page, list: string) =>
  page.getByRole("list", { name: list, exact: true }).locator("> li");
const button = (page: Page | Locator, name: string) =>
  page.getByRole("button", { name, exact: true });

interface Friend {
  page: Page;
  id: string;
  name: string;
  leave(): Promise<void>;
}

/** Signs up a member by an operator's invite code, with a username. */
async function join(browser: Browser, kith: Kith, name: string): Promise<Friend> {
  const context = await browser.newContext({ baseURL: kith.url });
  const page = await context.newPage();
  const [code = ""] = await kith.inviteCodes(1);
  await signUp(page, kith, `${name}@example.org`, code);
  const named = await page.request.put("/api/users/username", { data: { username: name } });
  expect(named.status()).toBe(200);
  const { id } = (await (await page.request.get("/api/auth/me")).json()) as { id: string };
  return { page, id, name, leave: () => context.close() };
}

/** Presses the button of a row, fills in a reason where the dialog has a field, and waits for the toast. */
async function decide(page: Page, list: string, of: string, action: string, done: string) {
  const takesBack = ["Unfreeze invites", "Lift suspension"].includes(action);
  const row = rows(page, list).filter({ hasText: of });
  await row.getByRole("button", { name: action }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  // Lifting a sanction takes no reason.
  if (takesBack) await expect(dialog.getByRole("textbox")).toHaveCount(0);
  else {
    await dialog.getByLabel("Why? (optional, for the audit log)").fill(`Because of ${action}`);
  }
  await dialog.getByRole("button", { name: action, exact: true }).click();
  await expectToast(page, done);
  await expect(dialog).toBeHidden();
}

/** Opens a tab by its URL, which resets all state. */
async function openTab(page: Page, tab: "" | "members" | "waitlist" | "audit") {
  await page.goto(tab ? `/admin?tab=${tab}` : "/admin");
  await expect(page.getByRole("heading", { name: "Moderation", exact: true })).toBeVisible();
}

const removal = (page: Page) => page.getByRole("menuitem", { name: "Remove post", exact: true });

/** The newest row of the audit log. */
async function expectLogged(page: Page, sentence: string, reason = "") {
  await openTab(page, "audit");
  const row = rows(page, "Audit log").first();
  await expect(row).toContainText(sentence);
  await expect(row).toContainText(reason);
}

/** Reports a post or member as the founder, and returns the response. */
async function report(founder: Page, data: object) {
  const response = await founder.request.post("/api/reports", { data });
  expect(response.status()).toBe(200);
}

async function postIdOf({ page, name }: Friend): Promise<string> {
  const posts = await page.request.get(`/api/users/${name}/posts`);
  return ((await posts.json()) as { id: string }[])[0]?.id ?? "";
}

// proves: resolve-remove, queue-case, admin-asks, audit-row
test("a reported post is removed, for everyone", async ({ founder, browser, kith }) => {
  const ada = await join(browser, kith, "ada");
  await post(ada.page, "Cheap watches");
  const postId = await postIdOf(ada);
  await report(founder, { postId, reason: "spam", note: "The tenth one today" });
  await openTab(founder, "");
  const row = rows(founder, "Reports").filter({ hasText: "Cheap watches" });
  await expect(row).toContainText("Post, reported once");
  await expect(row).toContainText("Spam: The tenth one today");
  const remove = row.getByRole("button", { name: "Remove post" });
  await remove.click();
  const dialog = founder.getByRole("dialog", { name: "Remove this post?", exact: true });
  await expect(dialog).toHaveAccessibleDescription(
    /disappears for everyone.*gets a notice and can object/,
  );
  await founder.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await decide(founder, "Reports", "Cheap watches", "Remove post", "Post removed");
  await expect(row).toHaveCount(0);
  expect((await ada.page.request.get(`/api/posts/${postId}/thread`)).status()).toBe(404);
  await ada.page.goto(`/profile/${ada.name}`);
  await expect(ada.page.getByRole("heading", { name: "New member" }).first()).toBeVisible();
  await expect(ada.page.getByText("No posts yet.", { exact: true })).toBeVisible();
  await expect(ada.page.getByRole("article")).toHaveCount(0);
  await expectLogged(founder, `@founder removed a post by @${ada.name}`, "Because of Remove post");
  await ada.leave();
});

// proves: queue-context
test("a reported reply is shown with the post above it", async ({ founder, browser, kith }) => {
  const jan = await join(browser, kith, "jan");
  const created = await founder.request.post("/api/posts", { data: { content: "Any watches?" } });
  const { id: replyToId } = (await created.json()) as { id: string };
  const data = { content: "Go away", replyToId };
  const written = await jan.page.request.post("/api/posts", { data });
  const { id: postId } = (await written.json()) as { id: string };
  await report(founder, { postId, reason: "harassment" });
  await openTab(founder, "");
  const row = rows(founder, "Reports").filter({ hasText: "Go away" });
  const parent = row.getByRole("region", { name: "The post it replies to" });
  await expect(parent).toHaveText("In reply to @founder:Any watches?");
  await row.getByRole("link", { name: "View the post in context" }).click();
  await expect(founder).toHaveURL(`/post/${postId}`);
  await expect(founder.getByRole("article")).toContainText(["Any watches?", "Go away"]);
  expect((await founder.request.delete(`/api/posts/${replyToId}`)).ok()).toBe(true);
  expect((await jan.page.request.delete(`/api/posts/${postId}`)).ok()).toBe(true);
  await openTab(founder, "");
  await expect(parent).toHaveText("In reply to a post that has been deleted.");
  await expect(row.getByText("The author has deleted this post.", { exact: true })).toBeVisible();
  await expect(row.getByRole("link", { name: "View the post in context" })).toHaveCount(0);
  await decide(founder, "Reports", "Go away", "Dismiss", "Reports dismissed");
  await jan.leave();
});

// proves: remove-post, card-menu, admin-asks, audit-row
test("a moderator removes a post from its menu, which other members cannot", async ({
  founder,
  browser,
  kith,
}) => {
  const hal = await join(browser, kith, "hal");
  const ivy = await join(browser, kith, "ivy");
  await post(hal.page, "Cheaper watches");
  const postId = await postIdOf(hal);
  await report(ivy.page, { postId, reason: "spam" });
  await ivy.page.goto(`/post/${postId}`);
  await button(ivy.page.getByRole("article"), "More").click();
  await expect(ivy.page.getByRole("menuitem", { name: "Report", exact: true })).toBeVisible();
  await expect(removal(ivy.page)).toHaveCount(0);
  await founder.goto("/profile/hal");
  await founder
    .getByRole("article")
    .filter({ hasText: "Cheaper" })
    .getByRole("link")
    .last()
    .click();
  await expect(founder).toHaveURL(`/post/${postId}`);
  const more = button(founder.getByRole("article"), "More");
  await more.click();
  await removal(founder).click();
  const dialog = founder.getByRole("dialog", { name: "Remove this post?", exact: true });
  await expect(dialog).toBeVisible();
  await founder.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(more).toBeFocused();
  await more.click();
  await removal(founder).click();
  await dialog.getByLabel("Why? (optional, for the audit log)").fill("Because it is spam");
  await button(dialog, "Remove post").click();
  await expectToast(founder, "Post removed");
  // The post is gone from the profile, too.
  await expect(founder).toHaveURL("/profile/hal");
  await expect(founder.getByText("No posts yet.", { exact: true })).toBeVisible();
  expect((await ivy.page.request.get(`/api/posts/${postId}/thread`)).status()).toBe(404);
  await expectLogged(founder, "@founder removed a post by @hal", "Because it is spam");
  await openTab(founder, "");
  await expect(rows(founder, "Reports").filter({ hasText: "Cheaper" })).toHaveCount(0);
  await button(founder, "Resolved").click();
  const row = rows(founder, "Reports").filter({ hasText: "Cheaper watches" });
  await expect(row).toContainText("Post removed by @founder");
  await hal.leave();
  await ivy.leave();
});

// proves: resolve-dismiss, resolve-once, audit-row, audit-links
test("a report is dismissed, once, and the post stays", async ({ founder, browser, kith }) => {
  const bea = await join(browser, kith, "bea");
  await post(bea.page, "I like watches");
  const postId = await postIdOf(bea);
  await report(founder, { postId, reason: "spam" });
  await openTab(founder, "");
  await decide(founder, "Reports", "I like watches", "Dismiss", "Reports dismissed");
  await button(founder, "Resolved").click();
  const row = rows(founder, "Reports").filter({ hasText: "I like watches" });
  await expect(row).toContainText("Dismissed by @founder");
  await expect(row).toContainText("Because of Dismiss");
  await bea.page.reload();
  await expect(bea.page.getByRole("article").filter({ hasText: "I like watches" })).toBeVisible();
  await expectLogged(founder, `@founder dismissed the reports of a post by @${bea.name}`);
  const logged = rows(founder, "Audit log").first();
  await expect(logged.getByRole("link", { name: "@bea" })).toHaveAttribute("href", "/profile/bea");
  await logged.getByRole("link", { name: "a post", exact: true }).click();
  await expect(founder).toHaveURL(`/post/${postId}`);
  await expect(founder.getByRole("article")).toContainText("I like watches");

  // Another moderator decides while the page is open.
  await report(founder, { postId, reason: "other", note: "Again" });
  await openTab(founder, "");
  const again = rows(founder, "Reports").filter({ hasText: "I like watches" });
  await again.getByRole("button", { name: "Dismiss" }).click();
  const cases = (await (await founder.request.get("/api/admin/reports")).json()) as {
    id: string;
    postId: string;
  }[];
  const id = cases.find((one) => one.postId === postId)?.id ?? "";
  const data = { action: "dismiss" };
  const faster = await founder.request.post(`/api/admin/reports/${id}/resolve`, { data });
  expect(faster.status()).toBe(204);
  await founder.getByRole("dialog").getByRole("button", { name: "Dismiss", exact: true }).click();
  await expectToast(founder, "Error", "Someone has already decided about these reports.");
  await expect(again).toHaveCount(0);
  await bea.leave();
});

// proves: freeze-codes, freeze-new, admin-undo, audit-row
test("frozen invites admit no members until they work again", async ({
  founder,
  browser,
  kith,
}) => {
  const cem = await join(browser, kith, "cem");
  const made = await cem.page.request.post("/api/invites");
  const { code } = (await made.json()) as { code: string };
  const requestLink = (email: string) =>
    cem.page.request.post("/api/auth/request-magic-link", { data: { email, inviteCode: code } });
  await openTab(founder, "members");
  await decide(founder, "Members", "@cem", "Freeze invites", "Invites frozen");
  const row = rows(founder, "Members").filter({ hasText: "@cem" });
  await expect(row).toContainText("Invites frozen");
  expect((await requestLink("dan@example.org")).status()).toBe(400);
  const more = await cem.page.request.post("/api/invites");
  expect(more.status()).toBe(409);
  expect(await more.text()).toContain("A moderator has frozen your invites.");
  await expectLogged(founder, "@founder froze the invites of @cem", "Because of Freeze invites");
  await openTab(founder, "members");
  await decide(founder, "Members", "@cem", "Unfreeze invites", "Invites unfrozen");
  expect((await requestLink("dan@example.org")).status()).toBe(200);
  await expectLogged(founder, "@founder unfroze the invites of @cem");
  await cem.leave();
});

// proves: admin-waitlist, waitlist-admit, waitlist-vouched, audit-row, audit-addresses
test("an applicant who is admitted from the waitlist gets an email and joins with its code", async ({
  founder,
  page,
  kith,
}) => {
  const email = "eve@example.org";
  await page.goto("/");
  const form = page.locator("form").filter({ has: button(page, "Join waitlist") });
  await form.getByRole("textbox").fill(email);
  await button(page, "Join waitlist").click();
  await expectToast(page, "You're on the list!", "We'll let you know when it's your turn.");
  const vouch = await founder.request.post("/api/waitlist/vouches", { data: { email } });
  expect(vouch.ok()).toBe(true);
  await openTab(founder, "waitlist");
  await expect(founder.getByText("Vouched for by @founder", { exact: true })).toBeVisible();
  await button(founder, `Admit ${email}`).click();
  const dialog = founder.getByRole("alertdialog", { name: "Send an invite?", exact: true });
  await dialog.getByRole("button", { name: "Send invite", exact: true }).click();
  await expectToast(founder, "Invite sent", email);
  await expect(founder.getByText("The waitlist is empty", { exact: true })).toBeVisible();
  const code = await kith.mailed(email, /\b[A-Z2-9]{12}\b/);
  await signUp(page, kith, email, code);
  await expectLogged(founder, "@founder admitted 1 person from the waitlist");
  await expect(rows(founder, "Audit log").filter({ hasText: email })).toHaveCount(0);
});

// proves: members-list, admin-link, admin-tabs, admin-undo, route-admin, audit-row
test("a role grants access to the pages of moderators, and its removal ends that", async ({
  founder,
  browser,
  kith,
}) => {
  const fay = await join(browser, kith, "fay");
  const requested: string[] = [];
  fay.page.on("request", (request) => requested.push(request.url()));
  await fay.page.goto("/admin");
  await expect(fay.page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await fay.page.getByRole("button", { name: /^Account menu/ }).click();
  await expect(fay.page.getByRole("menuitem", { name: "Settings" })).toBeVisible();
  await expect(fay.page.getByRole("menuitem", { name: "Moderation" })).toHaveCount(0);
  expect(requested.filter((url) => url.includes("/api/admin/"))).toEqual([]);
  await openTab(founder, "members");
  const tabs = ["Reports", "Members", "Waitlist", "Audit log", "Settings"];
  await expect(founder.getByRole("tab")).toHaveText(tabs);
  await expect(rows(founder, "Members").filter({ hasText: "@founder" })).toBeVisible();
  await founder.getByRole("main").getByRole("searchbox").fill("fa");
  const row = rows(founder, "Members");
  await expect(row).toHaveCount(1);
  await decide(founder, "Members", "@fay", "Make moderator", "@fay: Moderator");
  await expect(row.getByRole("button", { name: "Make member" })).toBeVisible();
  await fay.page.goto("/");
  await fay.page.getByRole("button", { name: /^Account menu/ }).click();
  await fay.page.getByRole("menuitem", { name: "Moderation" }).click();
  await expect(fay.page.getByRole("heading", { name: "Moderation", exact: true })).toBeVisible();
  await expect(fay.page.getByRole("tab")).toHaveText(["Reports", "Members"]);
  await expectLogged(founder, "@founder gave @fay the role Moderator", "Because of Make moderator");
  await openTab(founder, "members");
  await decide(founder, "Members", "@fay", "Make member", "@fay: Member");
  await fay.page.goto("/admin");
  await expect(fay.page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await expectLogged(founder, "@founder gave @fay the role Member");
  await fay.leave();
});

// proves: resolve-suspend, suspended-login, report-member, admin-undo, audit-row, suspended-opened
test("a reported member is suspended, cannot log in, and comes back", async ({
  founder,
  browser,
  kith,
}) => {
  const gus = await join(browser, kith, "gus");
  await post(gus.page, "Gus was here");
  await report(founder, { userId: gus.id, reason: "harassment", note: "See the bio" });
  await openTab(founder, "");
  const row = rows(founder, "Reports").filter({ hasText: "@gus" });
  await expect(row).toContainText("Harassment or threats: See the bio");
  await decide(founder, "Reports", "@gus", "Suspend", "Member suspended");
  await expect(row).toHaveCount(0);
  await expectLanding(gus.page);
  await gus.page.goto(await kith.signInLink("gus"));
  await expect(
    gus.page.getByText("Your account is suspended, so you can't log in for now."),
  ).toBeVisible();
  await openTab(founder, "audit");
  await expect(rows(founder, "Audit log").nth(1)).toContainText("@founder suspended @gus");
  await openTab(founder, "");
  await button(founder, "Resolved").click();
  await expect(row).toContainText("Member suspended by @founder");
  await expect(row).toContainText("Because of Suspend");
  await row.getByRole("link", { name: "New member" }).click();
  const about = founder.getByRole("region", { name: "About" });
  await expect(about).toContainText("Suspended since");
  await expect(about.getByRole("button")).toHaveCount(0);
  await founder.getByRole("article").filter({ hasText: "Gus was here" }).click();
  await expect(founder.getByRole("heading", { name: "Thread" })).toBeVisible();
  await expect(founder.getByRole("article")).toContainText("Gus was here");
  await openTab(founder, "");
  await button(founder, "Resolved").click();
  await decide(founder, "Reports", "@gus", "Lift suspension", "Suspension lifted");
  await gus.page.goto(await kith.signInLink("gus"));
  await expect(gus.page.getByRole("heading", { name: "Home" })).toBeVisible();
  await openTab(founder, "audit");
  await expect(rows(founder, "Audit log").nth(1)).toContainText(
    "@founder lifted the suspension of @gus",
  );
  await gus.leave();
});
