import { expect, post, signUpOnScreen, test } from "./test";

test.use({ serverFor: "the main job" });

// proves: route-profile, home-composer, follow-toggles, verify-success
test("a stranger with an invite code joins, posts, and reads a friend", async ({
  page,
  kith,
  founder,
}) => {
  await post(founder, "The lights are on. Come in.");
  const me: { username: string } = await (await founder.request.get("/api/auth/me")).json();

  await signUpOnScreen(page, kith, "stranger@example.com", kith.inviteCode);
  await post(page, "Hello, my friend says there are people here.");

  await page.goto(`/profile/${me.username}`);
  const follow = page.getByRole("button", { name: new RegExp(`@${me.username}$`) });
  await expect(follow).toHaveText("Following");
  await follow.click();
  await expect(follow).toHaveText("Follow");
  await follow.click();
  await expect(follow).toHaveText("Following");
  await expect(page.getByRole("article").filter({ hasText: "The lights are on." })).toBeVisible();

  const saved = page.waitForResponse((response) => response.url().includes("/api/posts/feed"));
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await saved;
  const card = page.getByRole("article").filter({ hasText: "The lights are on." });
  await expect(card).toBeVisible();
  await page.screenshot({ path: `${import.meta.dirname}/artifacts/main-job.png` });

  await page.reload();
  await expect(card).toBeVisible();
});
