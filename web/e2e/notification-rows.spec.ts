import { answer, beAda, bob, refuse, twoHoursAgo } from "./invented";
import { expect, test } from "./test";

function notificationOf(id: string, type: string, more: object = {}) {
  return { id, type, isRead: false, createdAt: twoHoursAgo, actor: bob, post: null, ...more };
}

// proves: notifications-row, notifications-dot, notifications-texts, notifications-post
// proves: call-notifications
test("a notification says who did what, when, and whether it is new", async ({ page }) => {
  await beAda(page, { unreadNotificationCount: 4 });
  const post = { id: "7", content: "What I wrote" };
  const rows = [
    notificationOf("5", "mention", { post: { id: "8", content: "Ask @ada" } }),
    notificationOf("4", "reply", { post: { id: "9", content: "So true" } }),
    notificationOf("3", "repost", { post }),
    notificationOf("2", "like", { post, isRead: true }),
    notificationOf("1", "follow"),
  ];
  await answer(page, "notifications?*", rows);
  const asked = page.waitForRequest("**/api/notifications?*");
  await page.goto("/notifications");
  expect(new URL((await asked).url()).search).toBe("?limit=50");
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
    signs.add(await row.locator("svg").innerHTML());
  }
  expect(signs.size).toBe(5);
  const dots = shown.locator(".bg-ember.size-2");
  await expect(dots).toHaveCount(4);
  await expect(shown.nth(3).locator(".bg-ember.size-2")).toHaveCount(0);
});

// proves: notifications-logged-out
test("without a session there are no notifications", async ({ page }) => {
  await beAda(page);
  await refuse(page, "notifications?*", 401);
  await page.goto("/notifications");
  const text = page.getByText("Please log in to see notifications.", { exact: true });
  await expect(text).toBeVisible();
});
