import { expectError, expectToast } from "./mock-api";
import { expect, expectAccessible, post, signUp, test } from "./test";

test.use({ serverFor: "notifications" });

const failure = "Failed to mark notifications as read.";

// proves: route-notifications, notifications-tabs, notifications-tabs-empty, notifications-title, notifications-empty, notifications-post
// proves: notifications-click, notifications-mark-all, notifications-mark-all-done
// proves: notifications-mark-all-failed
test("actions of a friend create notifications, which are counted and read", async ({
  page,
  kith,
  founder,
}) => {
  test.slow();
  await founder.goto("/notifications");
  await expect(founder.getByText("No notifications yet", { exact: true })).toBeVisible();
  await expect(
    founder.getByText("When people interact with your posts, you'll see it here", { exact: true }),
  ).toBeVisible();
  await expect(founder.getByRole("button", { name: "Mark all as read" })).toBeHidden();
  await founder.getByRole("tab", { name: "Replies and mentions" }).click();
  await expect(founder.getByText("No replies or mentions yet", { exact: true })).toBeVisible();
  await expect(
    founder.getByText("When people reply to you or mention you, you'll see it here", {
      exact: true,
    }),
  ).toBeVisible();
  await founder.goto("/");
  await post(founder, "Come and say hello");

  await signUp(page, kith, "friend@example.com", kith.inviteCode);
  const card = page.getByRole("article").filter({ hasText: "Come and say hello" });
  const liked = page.waitForResponse("**/like");
  await card.getByRole("button", { name: /^Like/ }).click();
  const reposted = page.waitForResponse("**/api/posts");
  await card.getByRole("button", { name: /^Repost/ }).click();
  await Promise.all([liked, reposted]);
  await card.getByRole("button", { name: /^Reply/ }).click();
  const dialog = page.getByRole("dialog", { name: "Create Post" });
  await dialog.getByLabel("Your reply").fill("Hello, hello!");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await expect(dialog).toBeHidden();

  await founder
    .getByRole("link", { name: /^Notifications/ })
    .locator("visible=true")
    .click();
  const rows = founder.getByRole("main").getByRole("listitem");
  await expect(rows.filter({ hasText: "replied to your post" })).toContainText("Hello, hello!");
  await expect(rows.filter({ hasText: "liked your post" })).toContainText("Come and say hello");
  await expect(rows.filter({ hasText: "reposted your post" })).toBeVisible();
  await expect(rows.filter({ hasText: "followed you" })).toBeVisible();
  await expect(founder.getByRole("heading", { name: "Notifications 4 unread" })).toBeVisible();
  await expect(founder).toHaveTitle("(4) Notifications · Kith");
  await expectAccessible(founder, "notifications");
  await founder.getByRole("tab", { name: "Replies and mentions" }).click();
  await expect(rows).toHaveText([/replied to your post/]);
  await expectAccessible(founder, "replies and mentions");
  await founder.reload();
  await expect(rows).toHaveText([/replied to your post/]);

  await rows.filter({ hasText: "replied to your post" }).getByRole("link").click();
  await expect(founder.getByRole("heading", { name: "Thread" })).toBeVisible();
  await expect(founder.getByRole("article").filter({ hasText: "Hello, hello!" })).toBeVisible();
  await expect(founder).toHaveTitle("(3) Thread · Kith");
  await founder.goBack();
  await expect(rows).toHaveText([/replied to your post/]);
  await founder.getByRole("tab", { name: "All" }).click();
  const read = founder.waitForResponse("**/api/notifications/read");
  await rows.filter({ hasText: "followed you" }).getByRole("link").press("Enter");
  await expect(founder).toHaveURL(/\/profile\//);
  await read;
  await founder.goto("/notifications");
  await expect(founder).toHaveTitle("(2) Notifications · Kith");

  await founder.route("**/read-all", (route) => route.fulfill({ status: 500, body: "" }));
  await founder.getByRole("button", { name: "Mark all as read" }).click();
  await expectError(founder, failure);
  await expect(founder).toHaveTitle("(2) Notifications · Kith");
  await founder.unroute("**/read-all");
  await founder.getByRole("button", { name: "Mark all as read" }).click();
  await expectToast(founder, "All notifications marked as read");
  await expect(founder.getByRole("button", { name: "Mark all as read" })).toBeHidden();
  await expect(founder).toHaveTitle("Notifications · Kith");
  await founder.reload();
  await expect(rows).toHaveCount(4);
  await expect(founder).toHaveTitle("Notifications · Kith");
});

test("a list that fails can be retried", async ({ founder: page }) => {
  await page.route("**/api/notifications?*", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/notifications");
  await expect(page.getByRole("alert")).toBeVisible();
  await page.unroute("**/api/notifications?*");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("alert")).toBeHidden();
});
