import { expect, signUp, test } from "./test";

test.use({ serverFor: "finding" });

// proves: follow-cards, follow-toggles, discover-trending-counts, discover-search-results
// proves: follow-everywhere
test("a friend is found, followed and counted by a real server", async ({
  page,
  kith,
  playwright,
}) => {
  test.slow();
  // Nothing has requested the trending topics yet, whose counts are cached for a minute.
  const founder = await playwright.request.newContext({ baseURL: kith.url });
  await founder.get(`/api/auth/verify${new URL(kith.founderLink).search}`);
  await founder.put("/api/users/username", { data: { username: "first_of_all" } });
  for (const content of ["More about #WebDev and #kites", "And again: #webdev", "No tag here"]) {
    expect((await founder.post("/api/posts", { data: { content } })).status()).toBe(201);
  }
  await signUp(page, kith, "finder@example.com", kith.inviteCode);
  await page.request.put("/api/users/profile", { data: { displayName: "Ferdinand Finder" } });

  await page.goto("/discover");
  const main = page.getByRole("main");
  const topics = page.getByRole("region", { name: "Trending", exact: true });
  await expect(topics.getByRole("listitem").first()).toHaveText("TechnologyWebDev2 posts");
  await topics.getByRole("button", { name: "Show more" }).click();
  await expect(topics.getByRole("listitem").filter({ hasText: "kites" })).toHaveText("kites1 post");

  await page.getByRole("searchbox").fill("ferdi");
  const own = main.getByRole("listitem").filter({ hasText: "Ferdinand Finder" });
  await expect(own).toBeVisible();
  await expect(own.getByRole("button")).toHaveCount(0);

  await page.getByRole("searchbox").fill("@first_of");
  const row = main.getByRole("listitem").filter({ hasText: "@first_of_all" });
  const follow = row.getByRole("button", { name: /@first_of_all$/ });
  await expect(follow).toHaveText("Following");
  const answered = page.waitForResponse((response) => response.url().includes("/api/follows/"));
  await follow.click();
  await expect(follow).toHaveText("Follow");
  expect((await answered).ok()).toBe(true);

  await row.getByRole("link").click();
  await expect(page.getByRole("region", { name: "About" })).toContainText("0 Followers");
  const there = page.getByRole("main").getByRole("button", { name: /@first_of_all$/ });
  await expect(there).toHaveText("Follow");
  await there.click();
  await expect(page.getByRole("region", { name: "About" })).toContainText("1 Follower");
  await page.goBack();
  await expect(follow).toHaveText("Following");
  await founder.dispose();
});
