import type { BrowserContext } from "@playwright/test";
import { expect, type Page, post, signUp, test } from "./test";

test.use({ serverFor: "live" });

/** How long another browser waits for an event at most. */
const AT_ONCE = { timeout: 1_000 };

/** Notes each stream of events that a browser requests. */
function recordStreams(context: BrowserContext): string[] {
  const urls: string[] = [];
  context.on("request", (request) => {
    if (request.url().includes("/api/events")) urls.push(request.url());
  });
  return urls;
}

async function follow(page: Page, from: Page): Promise<void> {
  const { id } = (await (await page.request.get("/api/auth/me")).json()) as { id: string };
  const { origin } = new URL(page.url());
  const response = await from.request.post(`/api/users/${id}/follow`, { headers: { origin } });
  expect(response.ok()).toBe(true);
}

// proves: live-unread, live-new-posts, live-counts, live-one-stream, live-session-end
test("two browsers side by side show each other's posts, likes and replies", async ({
  browser,
  founder,
  kith,
}) => {
  const context = await browser.newContext({ baseURL: kith.url });
  const friend = await context.newPage();
  const streams = recordStreams(context);
  await signUp(friend, kith, "friend@example.com", kith.inviteCode);
  await follow(founder, friend);
  await follow(friend, founder);
  await post(founder, "From the founder");
  await post(friend, "From the friend");
  await friend.reload();
  await founder.reload();
  await expect.poll(() => streams.length).toBeGreaterThan(0);
  const own = friend.getByRole("article").filter({ hasText: "From the friend" });
  const there = founder.getByRole("article").filter({ hasText: "From the friend" });
  await expect(own).toBeVisible();

  await there.getByRole("button", { name: "Like", exact: true }).click();
  await expect(own.getByRole("button", { name: "Like, 1" })).toBeVisible(AT_ONCE);
  await expect(friend).toHaveTitle(/^\(\d+\) Home/, AT_ONCE);

  await there.getByRole("button", { name: "Reply" }).click();
  const dialog = founder.getByRole("dialog", { name: "Create Post" });
  await dialog.getByLabel("Your post").fill("A reply");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await expect(founder.getByText("Post created", { exact: true })).toBeVisible();
  await expect(own.getByRole("button", { name: "Reply, 1" })).toBeVisible(AT_ONCE);

  await founder.getByLabel("Your post").fill("News for my friend");
  await founder.getByRole("button", { name: "Post", exact: true }).click();
  const button = friend.getByRole("button", { name: /^\d new posts?$/ });
  await expect(button).toBeVisible();
  await button.click();
  const news = friend.getByRole("article").filter({ hasText: "News for my friend" });
  await expect(news).toBeFocused();

  const before = streams.length;
  const second = await context.newPage();
  await second.goto("/settings");
  await expect(second.getByRole("heading", { name: "Settings" })).toBeVisible();
  await founder.getByLabel("Your post").fill("And once more");
  await founder.getByRole("button", { name: "Post", exact: true }).click();
  await expect(button).toBeVisible();
  expect(streams).toHaveLength(before);

  const { origin } = new URL(kith.url);
  await friend.request.post("/api/auth/logout", { headers: { origin } });
  await expect(friend.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expect(second.getByRole("heading", { name: "The human network" })).toBeVisible();
  await context.close();
});
