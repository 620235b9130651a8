import type { Browser } from "@playwright/test";
import type { Kith } from "./server";
import { expect, expectAccessible, type Page, post, signUp, test } from "./test";

test.use({ serverFor: "reposts" });

/** Creates a member that the founder follows. */
async function newFriend(browser: Browser, kith: Kith, founder: Page, code: string, name: string) {
  const context = await browser.newContext({ baseURL: kith.url });
  const page = await context.newPage();
  await signUp(page, kith, `${name.toLowerCase()}@example.org`, code);
  await page.request.put("/api/users/profile", { data: { displayName: name } });
  const me = (await (await page.request.get("/api/auth/me")).json()) as { id: string };
  const followed = await founder.request.post("/api/follows", { data: { followingId: me.id } });
  expect(followed.ok()).toBe(true);
  return page;
}

// proves: card-reposters, feed-once
test("a post that friends reposted is one card that names them", async ({
  browser,
  kith,
  founder: page,
}) => {
  const friends: Page[] = [];
  for (const [index, code] of (await kith.inviteCodes(3)).entries()) {
    friends.push(
      await newFriend(browser, kith, page, code, ["Bruno", "Carla", "Dora"][index] ?? ""),
    );
  }
  await post(page, "Worth passing on");
  const feed = (await (await page.request.get("/api/posts/feed")).json()) as { id: string }[];
  const cards = page.getByRole("article").filter({ hasText: "Worth passing on" });
  for (const [index, line] of [
    "Bruno reposted",
    "Carla and Bruno reposted",
    "Dora, Carla and 1 other reposted",
  ].entries()) {
    const data = { content: "♻️", repostOfId: feed[0]?.id };
    await friends[index]?.request.post("/api/posts", { data });
    await page.reload();
    await expect(cards).toHaveCount(1);
    await expect(cards.getByText(line, { exact: true })).toBeVisible();
  }
  await expectAccessible(page, "a post that three friends reposted");
  await page.getByRole("link", { name: "Carla", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Carla" })).toBeVisible();
  for (const friend of friends) await friend.context().close();
});
