import {
  mockResponse,
  logInAsAda,
  bob,
  expectRedirectToLogin,
  makePost,
  mockError,
  twoHoursAgo,
} from "./mock-api";
import { expect, test } from "./test";

function notificationOf(id: string, type: string, more: object = {}) {
  return { id, type, isRead: false, createdAt: twoHoursAgo, actor: bob, post: null, ...more };
}

// proves: notifications-row, notifications-dot, notifications-texts, notifications-post
// proves: call-notifications
test("a notification shows the member, the action, the time and whether it is unread", async ({
  page,
}) => {
  await logInAsAda(page, { unreadNotificationCount: 4 });
  const post = { id: "7", content: "What I wrote" };
  const rows = [
    notificationOf("5", "mention", { post: { id: "8", content: "Ask @ada" } }),
    notificationOf("4", "reply", { post: { id: "9", content: "So true" } }),
    notificationOf("3", "repost", { post }),
    notificationOf("2", "like", { post, isRead: true }),
    notificationOf("1", "follow"),
  ];
  await mockResponse(page, "notifications?*", rows);
  const requested = page.waitForRequest("**/api/notifications?*");
  await page.goto("/notifications");
  expect(new URL((await requested).url()).search).toBe("?limit=50");
  const shown = page.getByRole("main").getByRole("listitem");
  await expect(shown).toHaveText([
    /Bob mentioned you.*Ask @ada/,
    /Bob replied to your post.*So true/,
    /Bob reposted your post.*What I wrote/,
    /Bob liked your post.*What I wrote/,
    /Bob followed you/,
  ]);
  const signs = new Set<string>();
  for (const row of await shown.all()) {
    await expect(row.getByRole("time")).toHaveText("2h");
    await expect(row.locator("img")).toHaveAttribute("src", "/favicon.svg");
    signs.add(await row.getByRole("link").locator("svg").innerHTML());
  }
  expect(signs.size).toBe(5);
  const dots = shown.locator(".bg-primary.size-2");
  await expect(dots).toHaveCount(4);
  await expect(shown.nth(3).locator(".bg-primary.size-2")).toHaveCount(0);
});

function mentionsFrom(newest: number, count: number) {
  return Array.from({ length: count }, (_, at) => notificationOf(String(newest - at), "mention"));
}

function actorOf(name: string) {
  return { id: name, username: name.toLowerCase(), displayName: name, profileImageUrl: null };
}

// proves: notifications-grouped, notifications-group-texts, notifications-click
// proves: notifications-group-click, notifications-dot
test("likes of one post share a row, and are marked as read together", async ({ page }) => {
  await logInAsAda(page, { unreadNotificationCount: 4 });
  const post = { id: "7", content: "What I wrote" };
  const likeOf = (id: string, name: string, more: object = {}) =>
    notificationOf(id, "like", { actor: actorOf(name), post, ...more });
  await mockResponse(page, "notifications?*", [
    likeOf("9", "Eve"),
    notificationOf("8", "repost", { actor: actorOf("Eve"), post }),
    likeOf("7", "Dora"),
    likeOf("6", "Cleo", { isRead: true }),
    notificationOf("5", "repost", { actor: actorOf("Bea"), post, isRead: true }),
    notificationOf("4", "follow", { actor: actorOf("Eve"), isRead: true }),
    likeOf("3", "Bea"),
    notificationOf("2", "follow", { actor: actorOf("Dora"), isRead: true }),
    notificationOf("1", "follow", { actor: actorOf("Cleo"), isRead: true }),
  ]);
  await mockResponse(page, "posts/7/thread", { ancestors: [], post: makePost("7"), replies: [] });
  await mockResponse(page, "users/ada/followers?*", []);
  const read: object[] = [];
  await page.route(/\/api\/notifications\/(.*\/)?read$/, (route) => {
    const request = route.request();
    read.push([request.method(), new URL(request.url()).pathname, request.postDataJSON()]);
    return route.fulfill({ status: 204 });
  });
  await page.goto("/notifications");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveText([
    /Eve, Dora and 2 others liked your post2hWhat I wrote$/,
    /Eve and Bea reposted your post2hWhat I wrote$/,
    /Eve, Dora and 1 other followed you2h$/,
  ]);
  await expect(rows.first()).toContainText("Unread: ");
  await expect(rows.locator(".bg-primary.size-2")).toHaveCount(2);
  await expect(rows.last()).not.toContainText("Unread: ");
  await rows.first().getByRole("link").click();
  await expect(page).toHaveURL("/post/7");
  await expect
    .poll(() => read)
    .toEqual([["PUT", "/api/notifications/read", { ids: ["9", "7", "3"] }]]);
  await expect(page).toHaveTitle("(1) Thread · Kith");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Notifications");
  await expect(rows).toHaveCount(3);
  await rows.last().getByRole("link").click();
  await expect(page).toHaveURL("/profile/ada/followers");
});

// proves: notifications-more
test("older notifications are loaded after a full page", async ({ page }) => {
  await logInAsAda(page);
  await page.route("**/api/notifications?*", (route) => {
    const link = '</api/notifications?limit=50&cursor=51>; rel="next"';
    return route.request().url().includes("cursor=51")
      ? route.fulfill({ json: mentionsFrom(50, 2) })
      : route.fulfill({ json: mentionsFrom(100, 50), headers: { link } });
  });
  await page.goto("/notifications");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(50);
  await page.getByRole("button", { name: "Load more", exact: true }).click();
  await expect(rows).toHaveCount(52);
  await expect(page.getByRole("button", { name: "Load more" })).toHaveCount(0);
});

// proves: notifications-logged-out, error-401-toast
test("notifications without a session redirect to the login", async ({ page }) => {
  await logInAsAda(page);
  await mockError(page, "notifications?*", 401);
  await expectRedirectToLogin(page, () => page.goto("/notifications"));
  const text = page.getByText("Please log in to see notifications.", { exact: true });
  await expect(text).toBeVisible();
});
