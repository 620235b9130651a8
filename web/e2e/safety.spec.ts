import {
  ada,
  mockResponse,
  logInAsAda,
  bob,
  expectError,
  expectToast,
  holdResponse,
  makePost,
  mockError,
} from "./mock-api";
import { expect, expectAccessible, type Page, post, signUp, test } from "./test";

// A test uses the founder's invite code.
test.use({ serverFor: "safety" });

const cleo = { id: "3", username: "cleo", displayName: "Cleo", profileImageUrl: null };
const cleosProfile = { ...ada, ...cleo, isBlocked: false, blocksMe: false, isMuted: false };

const more = (page: Page, text: string) =>
  page
    .getByRole("article")
    .filter({ hasText: text })
    .getByRole("button", { name: "More", exact: true });

const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

/** A feed with two posts of Bob's, one of them reposted by Cleo, and a post of Cleo's. */
async function openFeed(page: Page) {
  await logInAsAda(page);
  const byCleo = { author: cleo };
  const repost = { ...byCleo, repostOfId: "6", repostOf: makePost("6") };
  await mockResponse(page, "posts/feed?*", [
    makePost("9"),
    makePost("8", byCleo),
    makePost("7"),
    makePost("10", repost),
  ]);
  await page.goto("/");
  await expect(page.getByRole("article")).toHaveCount(4);
}

async function openProfile(page: Page, ties: object) {
  await logInAsAda(page);
  await mockResponse(page, "users/cleo", { ...cleosProfile, ...ties });
  await mockResponse(page, "follows/3/status", { isFollowing: false });
  await page.goto("/profile/cleo");
  await expect(page.getByRole("heading", { level: 1, name: "Cleo" })).toBeVisible();
}

// proves: mute-menu, keep-away-vanish, keep-away-failed
test("a member is muted from a post, and their posts disappear", async ({ page }) => {
  await openFeed(page);
  await more(page, "Post 9").click();
  await mockError(page, "mutes/2", 500);
  await item(page, "Mute @bob").click();
  await expectError(page, "Failed to mute @bob. Please try again.");
  await expect(page.getByRole("article")).toHaveCount(4);
  await mockResponse(page, "mutes/2", { isMuted: true });
  await more(page, "Post 9").press("Enter");
  await item(page, "Mute @bob").press("Enter");
  await expectToast(page, "@bob is muted");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("article")).toContainText("Post 8");
  await expect(page.getByRole("article")).toBeFocused();
});

// proves: block-menu, keep-away-vanish, keep-away-failed
test("a member is blocked from a post after a confirmation", async ({ page }) => {
  await openFeed(page);
  const question = page.getByRole("alertdialog", { name: "Block @bob?" });
  const confirm = question.getByRole("button", { name: "Block", exact: true });
  await more(page, "Post 7").press("Enter");
  await item(page, "Block @bob").press("Enter");
  await expect(question).toHaveAccessibleDescription(/You no longer see each other's posts/);
  await expect(question.getByRole("button", { name: "Cancel", exact: true })).toBeFocused();
  await expectAccessible(page, "the question before blocking");
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(more(page, "Post 7")).toBeFocused();
  await more(page, "Post 7").press("Enter");
  await item(page, "Block @bob").press("Enter");
  await mockError(page, "blocks/2", 503, "Kith is busy.");
  await confirm.click();
  await expectError(page, "Kith is busy.");
  const release = await holdResponse(page, "blocks/2");
  await confirm.click();
  await expect(question.getByRole("button", { name: "Blocking..." })).toBeVisible();
  await release({ isBlocked: true });
  await expectToast(page, "@bob is blocked");
  await expect(question).toHaveCount(0);
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("article")).toContainText("Post 8");
  await expect(page.getByRole("article")).toBeFocused();
});

// proves: profile-menu, report-dialog, report-sent
test("a profile's menu reports the member", async ({ page }) => {
  await openProfile(page, {});
  await page.getByRole("button", { name: "More about this profile", exact: true }).click();
  await item(page, "Report").click();
  const dialog = page.getByRole("dialog", { name: "Report @cleo", exact: true });
  await dialog.getByRole("radio", { name: "Spam", exact: true }).check();
  await mockResponse(page, "reports", {});
  const requested = page.waitForRequest("**/api/reports");
  await dialog.getByRole("button", { name: "Send report", exact: true }).click();
  expect((await requested).postDataJSON()).toEqual({ userId: "3", reason: "spam", note: "" });
  await expectToast(page, "Report sent", "Thank you. A moderator will look at it.");
  await expect(dialog).toBeHidden();
});

// proves: profile-menu, mute-menu, mute-menu-undo
test("a profile's menu mutes and unmutes", async ({ page }) => {
  await openProfile(page, {});
  const menu = page.getByRole("button", { name: "More about this profile", exact: true });
  await expect(page.getByRole("button", { name: "Follow @cleo", exact: true })).toBeVisible();
  await expectAccessible(page, "the profile of another member");
  await menu.click();
  await expect(page.getByRole("menuitem")).toHaveText(["Mute @cleo", "Block @cleo", "Report"]);
  await mockResponse(page, "mutes/3", { isMuted: true });
  await mockResponse(page, "users/cleo", { ...cleosProfile, isMuted: true });
  await item(page, "Mute @cleo").click();
  await expectToast(page, "@cleo is muted");
  await expect(menu).toBeFocused();
  await menu.click();
  await mockResponse(page, "users/cleo", cleosProfile);
  await item(page, "Unmute @cleo").click();
  await expectToast(page, "@cleo is no longer muted");
  await menu.click();
  await expect(item(page, "Mute @cleo")).toBeVisible();
});

// proves: profile-blocked, block-menu
test("the profile of a blocked member shows that, and unblocks", async ({ page }) => {
  await openProfile(page, { isBlocked: true });
  const main = page.getByRole("main");
  await expect(main.getByText("You blocked @cleo", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Follow @cleo", exact: true })).toHaveCount(0);
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expectAccessible(page, "the profile of a blocked member");
  const unblock = page.getByRole("button", { name: "Unblock @cleo", exact: true });
  await mockError(page, "blocks/3", 500);
  await unblock.click();
  await expectError(page, "Failed to unblock @cleo. Please try again.");
  await mockResponse(page, "blocks/3", { isBlocked: false });
  await mockResponse(page, "users/cleo", cleosProfile);
  await unblock.click();
  await expectToast(page, "@cleo is no longer blocked");
  await expect(unblock).toHaveCount(0);
  await expect(main).toBeFocused();
  await expect(page.getByRole("tab")).toHaveCount(4);
  await expect(page.getByRole("button", { name: "Follow @cleo", exact: true })).toBeVisible();
});

// proves: profile-blocks-you
test("the profile of a member who blocked the viewer shows that", async ({ page }) => {
  await openProfile(page, { blocksMe: true });
  await expect(page.getByText("@cleo blocked you", { exact: true })).toBeVisible();
  const why = page.getByText("You can't follow them or see their posts.", { exact: true });
  await expect(why).toBeVisible();
  await expect(page.getByRole("button", { name: "Follow @cleo", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Unblock/ })).toHaveCount(0);
  await expectAccessible(page, "the profile of a member who blocked the viewer");
});

// proves: settings-kept-away, settings-kept-away-empty
test("the settings list muted and blocked members", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "auth/sessions", []);
  await mockResponse(page, "mutes?*", [
    { ...cleosProfile, isMuted: true },
    { ...cleosProfile, ...bob },
  ]);
  await page.goto("/settings");
  const section = page.getByRole("region", { name: "Muted and blocked", exact: true });
  const muted = section.getByRole("region", { name: "Muted", exact: true });
  const blocked = section.getByRole("region", { name: "Blocked", exact: true });
  await expect(muted.getByRole("listitem")).toHaveText([
    /^C?Cleo@cleo.*Unmute$/,
    /Bob@bob.*Unmute$/,
  ]);
  await expect(blocked.getByText("You haven't blocked anyone.", { exact: true })).toBeVisible();
  await expectAccessible(page, "the settings with muted members");
  await mockResponse(page, "mutes/3", { isMuted: false });
  await mockResponse(page, "mutes?*", []);
  await muted.getByRole("button", { name: "Unmute @cleo", exact: true }).click();
  await expectToast(page, "@cleo is no longer muted");
  await expect(muted.getByText("You haven't muted anyone.", { exact: true })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

// proves: thread-hidden
test("a hidden post is a placeholder in its thread", async ({ page }) => {
  await logInAsAda(page);
  const hiddenAuthor = { id: "0", username: "_", displayName: "Hidden", profileImageUrl: null };
  const gap = { content: "", author: hiddenAuthor, isDeleted: true, isHidden: true, replyCount: 1 };
  await mockResponse(page, "posts/7/thread", {
    ancestors: [makePost("5", gap)],
    post: makePost("7", { replyToId: "5" }),
    replies: [makePost("8", { ...gap, replyToId: "7" }), makePost("9", { replyToId: "8" })],
  });
  await page.goto("/post/7");
  const gaps = page.getByText("This post is not available to you.", { exact: true });
  await expect(gaps).toHaveCount(2);
  await expect(page.getByText("Hidden")).toHaveCount(0);
  await expect(page.getByRole("article")).toHaveCount(2);
  await expectAccessible(page, "a thread with gaps");
});

// proves: keep-away-vanish, block-profile, mute-unseen, block-unseen
test("posts of a muted or blocked member reappear after the mute or block ends", async ({
  page: friend,
  founder,
  kith,
}) => {
  await signUp(friend, kith, "friend@example.com", kith.inviteCode);
  await post(friend, "Hello from a friend");
  const { username } = (await (await friend.request.get("/api/auth/me")).json()) as {
    username: string;
  };
  const theirs = founder.getByRole("article").filter({ hasText: "Hello from a friend" });
  await founder.goto("/");
  await expect(theirs).toHaveCount(1);
  await more(founder, "Hello from a friend").click();
  await item(founder, `Mute @${username}`).click();
  await expectToast(founder, `@${username} is muted`);
  await expect(theirs).toHaveCount(0);
  await founder.reload();
  await expect(founder.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  await founder.goto(`/profile/${username}`);
  await expect(theirs).toHaveCount(1);

  const menu = founder.getByRole("button", { name: "More about this profile", exact: true });
  await menu.click();
  await item(founder, `Block @${username}`).click();
  await founder.getByRole("alertdialog").getByRole("button", { name: "Block" }).click();
  await expectToast(founder, `@${username} is blocked`);
  await expect(founder.getByText(`You blocked @${username}`, { exact: true })).toBeVisible();
  await expect(theirs).toHaveCount(0);
  const me = (await (await founder.request.get("/api/auth/me")).json()) as { username: string };
  await friend.goto(`/profile/${me.username}`);
  await expect(friend.getByText(`@${me.username} blocked you`, { exact: true })).toBeVisible();

  await founder.goto("/settings");
  const section = founder.getByRole("region", { name: "Muted and blocked", exact: true });
  for (const word of ["Unmute", "Unblock"]) {
    await section.getByRole("button", { name: `${word} @${username}`, exact: true }).click();
  }
  await expect(section.getByText("You haven't muted anyone.", { exact: true })).toBeVisible();
  await expect(section.getByText("You haven't blocked anyone.", { exact: true })).toBeVisible();
  await founder.goto(`/profile/${username}`);
  await expect(theirs).toHaveCount(1);
});
