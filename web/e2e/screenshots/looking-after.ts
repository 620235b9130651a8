import type { Page } from "@playwright/test";
import { caseOf, entryOf, recordOf } from "../invented-moderation";

/** The reader as an admin, with something to do. */
export async function lookAfter(page: Page) {
  const lists = {
    "admin/reports?*": [
      caseOf("1", {
        post: {
          isDeleted: false,
          replyTo: {
            id: "6",
            author: recordOf(),
            evidence: { text: "Which watch would you buy?", imageUrls: [] },
          },
        },
      }),
      caseOf("2", {
        kind: "member",
        postId: null,
        post: null,
        reportCount: 1,
        member: recordOf({ role: "admin" }),
      }),
    ],
    "admin/members?*": [
      recordOf(),
      recordOf({ id: "8", role: "moderator", invitesFrozenAt: "2026-11-21T09:30:00.000Z" }),
      recordOf({ id: "9", suspendedAt: "2026-11-21T09:30:00.000Z", invitedBy: null }),
    ],
    "admin/waitlist?*": ["vera@mail.example", "joaquin@post.example"].map((email, id) => ({
      id: String(id + 1),
      email,
      joinedAt: "2026-11-20T09:30:00.000Z",
      vouchedBy: id === 0 ? [recordOf()] : [],
    })),
    "admin/audit?*": [
      entryOf("3", { action: "suspend", member: recordOf(), note: "Asked twice to stop" }),
      entryOf("2", { action: "admit_people", detail: "2", actor: recordOf() }),
      entryOf("1"),
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

/** The same, with one of the tabs open. */
export const lookAfterTab = (name: string) => async (page: Page) => {
  await lookAfter(page);
  await page.getByRole("tab", { name, exact: true }).click();
};

/** The same, on the way to a deed. */
export const askBefore = (name: string) => async (page: Page) => {
  await lookAfter(page);
  await page.getByRole("button", { name }).first().click();
};
