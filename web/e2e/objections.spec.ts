import { expectToast } from "./mock-api";
import { expect, expectLanding, post, signUp, test } from "./test";

// Without mocks: a decision and its objection pass through the server, its emails and two browsers.
test.use({ serverFor: "objections" });

// proves: notice-sanction, notice-link, notice-suspended, objection-once, admin-objection-decide
test("a suspended member objects by the link in the email, and is let in again", async ({
  founder,
  browser,
  kith,
}) => {
  const context = await browser.newContext({ baseURL: kith.url });
  const page = await context.newPage();
  const [code = ""] = await kith.inviteCodes(1);
  await signUp(page, kith, "gus@example.org", code);
  await page.request.put("/api/users/username", { data: { username: "gus" } });

  await founder.goto("/admin?tab=members");
  const row = founder.getByRole("list", { name: "Members" }).locator("> li");
  await row.filter({ hasText: "@gus" }).getByRole("button", { name: "Suspend" }).click();
  const dialog = founder.getByRole("dialog");
  await dialog.getByLabel("Rule (optional)").fill("Be kind.");
  await dialog.getByLabel("Message to @gus (optional)").fill("You were too loud.");
  await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
  await expectToast(founder, "Member suspended");

  await expectLanding(page);
  const link = await kith.mailed("gus@example.org", /https?:\/\/\S+\/notice#[^\s"<>]+/);
  await page.goto(link);
  await expect(page.getByText("You were too loud.")).toBeVisible();
  await expect(page.getByText("Be kind.")).toBeVisible();
  await page.getByRole("button", { name: /^Object/ }).click();
  await page.getByLabel("Why is the decision wrong?").fill("It was a birthday.");
  await page.getByRole("button", { name: "Send objection" }).click();
  await expect(page.getByText("It was a birthday.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Object/ })).toHaveCount(0);

  await founder.goto("/admin");
  await founder.getByRole("button", { name: "Objections", exact: true }).click();
  const objection = founder.getByRole("listitem").filter({ hasText: "It was a birthday." });
  await objection.getByRole("button", { name: "Lift suspension" }).click();
  const answer = founder.getByRole("dialog");
  await answer.getByRole("textbox").fill("Happy birthday.");
  await answer.getByRole("button", { name: "Lift suspension", exact: true }).click();
  await expectToast(founder, "Suspension lifted");
  await expect(objection).toHaveCount(0);

  expect(await kith.mailed("gus@example.org", /Happy birthday\./)).toBe("Happy birthday.");
  await page.goto("/");
  await page.goto(link);
  await expect(page.getByText("Happy birthday.")).toBeVisible();
  await page.goto(await kith.signInLink("gus"));
  await post(page, "Back again");
  await context.close();
});

// proves: remove-restore, remove-list, admin-removed-posts
test("a removed post is restored from the list of removed posts", async ({
  founder,
  browser,
  kith,
}) => {
  const context = await browser.newContext({ baseURL: kith.url });
  const page = await context.newPage();
  const [code = ""] = await kith.inviteCodes(1);
  await signUp(page, kith, "hal@example.org", code);
  await post(page, "A harmless post");
  const { username } = (await (await page.request.get("/api/auth/me")).json()) as {
    username: string;
  };
  const posts = await page.request.get(`/api/users/${username}/posts`);
  const id = ((await posts.json()) as { id: string }[])[0]?.id ?? "";
  const removed = await founder.request.put(`/api/admin/posts/${id}/removal`, { data: {} });
  expect(removed.status()).toBe(204);
  await page.goto("/settings/notices");
  await expect(page.getByText("A harmless post")).toBeVisible();

  await founder.goto("/admin");
  await founder.getByRole("button", { name: "Removed posts", exact: true }).click();
  const row = founder.getByRole("listitem").filter({ hasText: "A harmless post" });
  await row.getByRole("button", { name: "Restore" }).click();
  await founder.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await expectToast(founder, "Post restored");
  await expect(row).toHaveCount(0);
  await page.goto(`/profile/${username}`);
  await expect(page.getByRole("article").filter({ hasText: "A harmless post" })).toBeVisible();
  await context.close();
});
