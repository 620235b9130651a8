import { expect, expectLanding, type Page, post, signUp, test } from "./test";

test.use({ serverFor: "live" });

/** Collects the event streams that a tab requests from now on. */
function recordStreams(page: Page): string[] {
  const urls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/events")) urls.push(request.url());
  });
  return urls;
}

async function follow(page: Page, from: Page): Promise<void> {
  const { id } = (await (await page.request.get("/api/auth/me")).json()) as { id: string };
  const { origin } = new URL(page.url());
  const data = { followingId: id };
  const response = await from.request.post("/api/follows", { headers: { origin }, data });
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
  const streams = recordStreams(friend);
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
  await expect(own.getByRole("button", { name: "Like, 1" })).toBeVisible();
  await expect(friend).toHaveTitle(/^\(\d+\) Home/);

  await there.getByRole("button", { name: "Reply" }).click();
  const dialog = founder.getByRole("dialog", { name: "Create Post" });
  await dialog.getByLabel("Your reply").fill("A reply");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(own.getByRole("button", { name: "Reply, 1" })).toBeVisible();

  await founder.getByLabel("Your post").fill("Written for my friend");
  await founder.getByRole("button", { name: "Post", exact: true }).click();
  const button = friend.getByRole("button", { name: /^\d new posts?$/ });
  await expect(button).toBeVisible();
  await button.click();
  const newPost = friend.getByRole("article").filter({ hasText: "Written for my friend" });
  await expect(newPost).toBeFocused();

  const second = await context.newPage();
  const streamsOfSecond = recordStreams(second);
  await second.goto("/settings");
  await expect(second.getByRole("heading", { name: "Settings" })).toBeVisible();
  await founder.getByLabel("Your post").fill("And once more");
  await founder.getByRole("button", { name: "Post", exact: true }).click();
  await expect(button).toBeVisible();
  expect(streamsOfSecond).toEqual([]);

  const { origin } = new URL(kith.url);
  await friend.request.post("/api/auth/logout", { headers: { origin } });
  await expectLanding(friend);
  await expectLanding(second);
  await context.close();
});
