import { logInAsAda, mockResponse } from "./mock-api";
import {
  makeModerationNotice,
  makeObjectionCase,
  makeRemovedPost,
  makeSentReport,
} from "./mock-moderation";
import { expect, expectAccessible, test } from "./test";

// proves: notices-list, notices-reports, notices-banner
test("a banner links to the notices, which are accessible", async ({ page }) => {
  async function mockMember(unreadNotices: number) {
    await logInAsAda(page, { unreadNotices });
    await mockResponse(page, "moderation-notices", [
      makeModerationNotice("2"),
      makeModerationNotice("1", { liftedAt: "2026-11-21T09:30:00.000Z" }),
    ]);
    await mockResponse(page, "reports", [makeSentReport("3", { outcome: "action_taken" })]);
    await mockResponse(page, "moderation-notices/read", null, 204);
  }
  await mockMember(1);
  await page.goto("/");
  await expect(page.getByText("You have a notice from the moderators")).toBeVisible();
  await expectAccessible(page, "the banner about notices");
  // The app fetches the member again when its stream of events ends.
  await mockMember(0);
  const read = page.waitForResponse("**/api/moderation-notices/read");
  await page.getByRole("link", { name: "Read it" }).click();
  await expect(page).toHaveURL("/settings/notices");
  await expect(page.getByText("Cheap watches 2")).toBeVisible();
  await expect(page.getByText("The moderators took action.")).toBeVisible();
  await expectAccessible(page, "the notices");
  await page.getByRole("button", { name: "Object: Your post was removed" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "an objection");
  await page.keyboard.press("Escape");
  await read;
  await page.getByRole("link", { name: "Home" }).first().click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(page.getByText("You have a notice from the moderators")).toBeHidden();
});

// proves: route-notice
test("the link in an email shows its notice to a visitor", async ({ page }) => {
  await page.route("**/api/moderation-notices/by-link", async (route) => {
    const { token } = route.request().postDataJSON() as { token: string };
    const json = token === "a-token" ? makeModerationNotice("1") : { message: "", code: "none" };
    await route.fulfill({ status: token === "a-token" ? 200 : 404, json });
  });
  await page.goto("/notice#a-token");
  await expect(page.getByRole("heading", { name: "Your post was removed" })).toBeVisible();
  await expect(page).toHaveURL("/notice");
  await expectAccessible(page, "a notice");
  await page.reload();
  await expect(page.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
});

// proves: admin-objections, admin-objection-card, admin-removed-posts
test("the lists of objections and removed posts are accessible", async ({ page }) => {
  await logInAsAda(page, { role: "moderator" });
  await mockResponse(page, "admin/reports?*", []);
  await mockResponse(page, "admin/objections", [makeObjectionCase("4"), makeObjectionCase("5")]);
  await mockResponse(page, "admin/removed-posts", [makeRemovedPost("6")]);
  await page.goto("/admin");
  const filters = page.getByRole("group", { name: "Which reports" }).getByRole("button");
  await expect(filters).toHaveText(["Open", "Resolved", "Objections", "Removed posts"]);
  await filters.nth(2).click();
  const rows = page.getByRole("list", { name: "Objections" }).locator("> li");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("Cheap watches 4");
  await expect(rows.first()).toContainText("Decided by @eve");
  await expectAccessible(page, "the objections");
  await rows
    .first()
    .getByRole("button", { name: /^Keep the decision/ })
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "a decision about an objection");
  await page.keyboard.press("Escape");
  await filters.nth(3).click();
  await expect(page.getByText("Cheap watches 6")).toBeVisible();
  await expectAccessible(page, "the removed posts");
});
