import { mockResponse, logInAsAda, bob } from "./mock-api";
import { makeReportCase, makeAuditEntry, makeAdminUser } from "./mock-moderation";
import { expect, expectAccessible, type Page, test } from "./test";

// Mocks what a real server rarely has, such as many reports, long lists and failures;
// admin-actions.spec.ts tests the actions.
test.use({ serverFor: "admin" });

async function open(page: Page, role: "moderator" | "admin", tab = "") {
  await logInAsAda(page, { role });
  await mockResponse(page, "admin/reports?*", [makeReportCase("11"), makeReportCase("12")]);
  await mockResponse(page, "admin/members?*", [makeAdminUser()]);
  await mockResponse(page, "admin/waitlist?*", []);
  await mockResponse(page, "admin/audit?*", []);
  await page.goto(`/admin${tab}`);
  await expect(page.getByRole("heading", { name: "Moderation", exact: true })).toBeVisible();
}

const rows = (page: Page, list: string) =>
  page.getByRole("list", { name: list, exact: true }).locator("> li");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

// proves: queue-case, queue-images
test("a report case shows what a moderator needs to decide", async ({ page }) => {
  const frozen = {
    suspendedAt: "2026-11-21T09:30:00.000Z",
    invitesFrozenAt: "x",
    role: "moderator" as const,
  };
  await open(page, "moderator");
  const evidence = [{ text: "Cheap watches 12", imageUrls: ["/images/deleted/1600.webp"] }];
  await mockResponse(page, "admin/reports?*", [
    makeReportCase("11"),
    makeReportCase("12", { member: makeAdminUser(frozen), evidence }),
  ]);
  await page.reload();
  const [first, second] = [rows(page, "Reports").first(), rows(page, "Reports").last()];
  await expect(first).toContainText("Post, reported 3 times");
  await expect(first).toContainText("Spam (2), Something else (1)");
  await expect(first).toContainText("@bob, joined March 2026, invited by @eve");
  await expect(first).toContainText("Cheap watches 11");
  await expect(first.getByRole("link", { name: "Image 1" })).toHaveAttribute(
    "href",
    "/favicon.svg",
  );
  await expect(first.getByRole("img", { name: "Image 1" })).toBeVisible();
  await expect(second).toContainText("Image 1 can't be shown.");
  await expect(first).toContainText("Something else: The tenth one today");
  await expect(second).toContainText("SuspendedInvites frozen");
  await expect(second).toContainText("Only someone with a higher role than @bob");
  await expect(second.getByRole("button")).toHaveText(["Dismiss"]);
  await expect(first.getByRole("button")).toHaveText([
    "Dismiss",
    "Remove post",
    "Suspend",
    "Freeze invites",
  ]);
});

// proves: audit-row, admin-states
test("the audit log consists of sentences, and loads more", async ({ page }) => {
  await open(page, "admin");
  const first = [
    makeAuditEntry("60", {
      actor: bob,
      action: "change_role",
      member: bob,
      detail: "admin",
      note: "Helps",
    }),
    ...Array.from({ length: 49 }, (_, index) => makeAuditEntry(String(59 - index))),
  ];
  await page.route("**/api/admin/audit?*", (route) => {
    const isFirst = !route.request().url().includes("cursor");
    const headers = isFirst
      ? { link: '</api/admin/audit?limit=50&cursor=11>; rel="next"' }
      : undefined;
    const json = isFirst ? first : [makeAuditEntry("10")];
    return route.fulfill({ json, ...(headers && { headers }) });
  });
  await page.getByRole("tab", { name: "Audit log" }).click();
  await expect(rows(page, "Audit log").first()).toContainText("@bob gave @bob the role Admin");
  await expect(rows(page, "Audit log").nth(1)).toContainText("The operator made invite codes: 1");
  await button(page, "Load more").click();
  await expect(rows(page, "Audit log")).toHaveCount(51);
  await expect(rows(page, "Audit log").last()).toBeFocused();
});

// proves: admin-states
test("empty and failed lists have a message", async ({ page }) => {
  await open(page, "admin");
  await page.getByRole("tab", { name: "Audit log" }).click();
  await expect(page.getByText("No actions yet", { exact: true })).toBeVisible();
  await mockResponse(page, "admin/members?*", [], 503);
  await page.getByRole("tab", { name: "Members" }).click();
  // The request may follow only after the code of the tab.
  await expect(button(page, "Retry")).toBeVisible();
  await mockResponse(page, "admin/members?*", []);
  await button(page, "Retry").click();
  await expect(page.getByText("No members match", { exact: true })).toBeVisible();
});

// proves: admin-tabs
test("the pages of moderators are accessible", async ({ page }) => {
  await open(page, "admin");
  await expect(rows(page, "Reports")).toHaveCount(2);
  await expectAccessible(page, "the reports");
  await rows(page, "Reports").first().getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByRole("dialog", { name: "Suspend @bob?" })).toBeVisible();
  await expectAccessible(page, "the dialog of a moderation action");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Members" }).click();
  await expect(rows(page, "Members")).toHaveCount(1);
  await expectAccessible(page, "the members");
  await mockResponse(page, "admin/audit?*", [
    makeAuditEntry("1"),
    makeAuditEntry("2", { note: "Why not" }),
  ]);
  await page.getByRole("tab", { name: "Audit log" }).click();
  await expect(rows(page, "Audit log")).toHaveCount(2);
  await expectAccessible(page, "the audit log");
});
