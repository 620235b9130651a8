import type { Page } from "@playwright/test";
import { makeObjection } from "../../src/test/mock-api/notice-records";
import {
  makeAdminUser,
  makeAuditEntry,
  makeModerationNotice,
  makeObjectionCase,
  makeRemovedPost,
  makeReportCase,
} from "../mock-moderation";

/** Makes the viewer an admin, and mocks the lists of moderation. */
export async function mockModeration(page: Page) {
  const lists = {
    "admin/reports?*": [
      makeReportCase("1", {
        post: {
          isDeleted: false,
          replyTo: {
            id: "6",
            author: makeAdminUser(),
            evidence: { text: "Which watch would you buy?", imageUrls: [] },
          },
        },
      }),
      makeReportCase("2", {
        kind: "member",
        postId: null,
        post: null,
        reportCount: 1,
        member: makeAdminUser({ role: "admin" }),
      }),
    ],
    "admin/objections": [
      makeObjectionCase("1"),
      makeObjectionCase("2", {
        by: null,
        notice: makeModerationNotice("2", {
          type: "suspended",
          post: null,
          objection: makeObjection({ text: "We are old friends and talk like this." }),
        }),
      }),
    ],
    "admin/removed-posts": [makeRemovedPost("1"), makeRemovedPost("2", { content: "" })],
    "admin/members?*": [
      makeAdminUser(),
      makeAdminUser({ id: "8", role: "moderator", invitesFrozenAt: "2026-11-21T09:30:00.000Z" }),
      makeAdminUser({ id: "9", suspendedAt: "2026-11-21T09:30:00.000Z", invitedBy: null }),
    ],
    "admin/waitlist?*": ["vera@mail.example", "joaquin@post.example"].map((email, id) => ({
      id: String(id + 1),
      email,
      joinedAt: "2026-11-20T09:30:00.000Z",
      vouchedBy: id === 0 ? [makeAdminUser()] : [],
    })),
    "admin/audit?*": [
      makeAuditEntry("3", {
        action: "suspend",
        detail: "",
        member: makeAdminUser(),
        note: "Asked twice to stop",
      }),
      makeAuditEntry("2", { action: "admit_people", detail: "2", actor: makeAdminUser() }),
      makeAuditEntry("1"),
    ],
  };
  for (const [address, json] of Object.entries(lists)) {
    await page.route(`**/api/${address}`, (route) => route.fulfill({ json }));
  }
  await page.route("**/api/auth/me", async (route) => {
    const me = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...me, role: "admin" } });
  });
  await page.reload();
}

/** Opens a tab of the mocked moderation. */
export const openModerationTab = (name: string) => async (page: Page) => {
  await mockModeration(page);
  await page.getByRole("tab", { name, exact: true }).click();
};

/** Opens the dialog of an action of the mocked moderation. */
export const openActionDialog = (name: string) => async (page: Page) => {
  await mockModeration(page);
  await page.getByRole("button", { name }).first().click();
};

/** Selects a filter of the mocked reports. */
export const openModerationFilter = (name: string) => async (page: Page) => {
  await mockModeration(page);
  await page.getByRole("button", { name, exact: true }).click();
};
