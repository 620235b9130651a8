import { expectError } from "./mock-api";
import { expect, post, signUp, test } from "./test";

test.use({
  serverFor: "limits",
  flags: ["--limits=login_mail=1/1h,posts=1/1h,reactions=1/1h,follows=1/1h"],
});

const tooOften = "You're doing that too often. Please wait a moment and try again.";

// proves: limit-shown, error-action-sentence
test("a member who exceeds a rate limit sees a message, and loses no input", async ({
  browser,
  kith,
  page,
  founder,
}) => {
  await post(founder, "The first of this hour.");
  const me: { username: string } = await (await founder.request.get("/api/auth/me")).json();
  await signUp(page, kith, "eager@example.com", kith.inviteCode);

  const visitor = await browser.newPage({ baseURL: kith.url });
  await visitor.goto("/");
  await visitor.getByRole("button", { name: "Login" }).click();
  await visitor.getByLabel("Invite code").fill("ABCD2345EFGH");
  const email = visitor.getByLabel("Email", { exact: true });
  await email.fill("later@example.com");
  await visitor.getByRole("button", { name: "Send magic link" }).click();
  await expectError(visitor, tooOften);
  await expect(email).toHaveValue("later@example.com");
  await visitor.close();

  await post(page, "My first.");
  const text = page.getByLabel("Your post");
  await text.fill("My second, one too many.");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expectError(page, tooOften);
  await expect(text).toHaveValue("My second, one too many.");

  await page.goto(`/profile/${me.username}`);
  const card = page.getByRole("article").filter({ hasText: "The first of this hour." });
  await card.getByRole("button", { name: "Like", exact: true }).click();
  const unlike = card.getByRole("button", { name: "Unlike, 1" });
  await expect(unlike).toBeVisible();
  const repost = card.getByRole("button", { name: "Repost", exact: true });
  await repost.click();
  await expectError(page, tooOften);
  await expect(repost).toBeVisible();
  await unlike.click();
  await expectError(page, tooOften);
  await expect(unlike).toBeVisible();

  // Invited members follow their inviter automatically.
  const follow = page.getByRole("button", { name: new RegExp(`@${me.username}$`) });
  for (const now of ["Follow", "Following", "Follow"]) {
    await follow.click();
    await expect(follow).toHaveText(now);
  }
  await follow.click();
  await expectError(page, tooOften);
  await expect(follow).toHaveText("Follow");
});
