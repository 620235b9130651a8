import { expect, expectAccessible, type Page, post, signUp, test } from "./test";

test.use({ serverFor: "notification-settings" });

const likes = (page: Page) => page.getByRole("combobox", { name: "Likes from" });

// proves: settings-notifications, settings-quiet-hours, settings-digest
test("a member chooses what they are notified about", async ({ founder: page }) => {
  await page.goto("/settings");
  await expect(likes(page)).toHaveValue("everyone");
  await likes(page).selectOption("People you follow");
  await page.getByRole("checkbox", { name: "Push: Likes" }).click();
  await page.getByRole("combobox", { name: "Reposts from" }).selectOption("No one");
  await expect(page.getByRole("checkbox", { name: "Push: Reposts" })).toBeDisabled();
  const quiet = page.getByLabel("Quiet hours: nothing is pushed, and one summary follows");
  const digest = page.getByLabel(/^A weekly email/);
  // The founder has no email.
  await expect(digest).not.toBeChecked();
  await digest.click();
  await quiet.click();
  const until = page.getByLabel("Quiet until");
  await expect(page.getByLabel("Quiet from")).toHaveValue("22:00");
  await until.fill("08:30");
  const saved = page.waitForResponse("**/api/notifications/quiet-hours");
  await until.blur();
  await saved;
  await expectAccessible(page, "the settings of notifications");
  await page.reload();
  await expect(likes(page)).toHaveValue("following");
  await expect(page.getByRole("checkbox", { name: "Push: Likes" })).toBeChecked();
  await expect(page.getByRole("combobox", { name: "Reposts from" })).toHaveValue("none");
  await expect(until).toHaveValue("08:30");
  await expect(digest).toBeChecked();
  await quiet.click();
  await expect(until).toBeHidden();
  await page.reload();
  await expect(quiet).not.toBeChecked();
});

// proves: settings-notifications-failed
test("a setting that cannot be saved is reverted", async ({ founder: page }) => {
  await page.goto("/settings");
  await page.route("**/api/notifications/settings", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  const mentions = page.getByRole("combobox", { name: "Mentions from" });
  await mentions.selectOption("No one");
  await expect(
    page.getByText("Failed to change your notifications. Please try again.", { exact: true }),
  ).toBeVisible();
  await expect(mentions).toHaveValue("everyone");
});

// proves: conversation-mute-menu
test("a conversation is muted from a post and from a notification", async ({
  browser,
  founder: page,
  kith,
}) => {
  await page.goto("/");
  await post(page, "Who brings the bread?");
  const friend = await browser.newPage({ baseURL: kith.url });
  await signUp(friend, kith, "ben@example.org", kith.inviteCode);
  await friend.getByRole("tab", { name: "For You" }).click();
  const article = friend.getByRole("article").filter({ hasText: "Who brings the bread?" });
  const reply = async (text: string) => {
    await article.getByRole("button", { name: /^Reply/ }).click();
    const dialog = friend.getByRole("dialog");
    await dialog.getByLabel("Your reply").fill(text);
    const sent = friend.waitForResponse("**/api/posts");
    await dialog.getByRole("button", { name: "Post", exact: true }).click();
    await sent;
  };
  await reply("I do");
  await page.goto("/notifications");
  const row = page.getByRole("listitem").filter({ hasText: "I do" });
  await row.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Mute conversation" }).click();
  await expect(
    page.getByText("You won't be notified about this conversation", { exact: true }),
  ).toBeVisible();
  await reply("And butter");
  await page.goto("/");
  const own = page.getByRole("article").filter({ hasText: "Who brings the bread?" });
  await own.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Unmute conversation" }).click();
  await expect(
    page.getByText("You'll be notified about this conversation again", { exact: true }),
  ).toBeVisible();
  await reply("And salt");
  await page.goto("/notifications");
  await expect(page.getByRole("listitem").filter({ hasText: "And salt" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "And butter" })).toHaveCount(0);
  await friend.context().close();
});

// proves: digest-unsubscribe-link
test("the link in a weekly email opens its setting", async ({ founder: page }) => {
  await page.goto("/api/digest/unsubscribe?token=x");
  await expect(page).toHaveURL("/settings#notifications");
  await expect(page.getByLabel(/^A weekly email/)).toBeInViewport();
});
