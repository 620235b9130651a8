import type { Page } from "@playwright/test";
import { makeNotices, makeSuspensionNotice } from "../../src/test/mock-api/notice-records";
import { makeSentReport } from "../mock-moderation";
import { press, type Scene } from "./scene";

/** Mocks notices to the viewer and the outcomes of their reports, and opens a page. */
const openWithNotices = (path: string) => async (page: Page) => {
  const reports = [
    makeSentReport("3"),
    makeSentReport("2", { kind: "member", outcome: "action_taken", note: "" }),
    makeSentReport("1", { username: null, outcome: "no_action", reason: "harassment" }),
  ];
  await page.route("**/api/moderation-notices", (route) => route.fulfill({ json: makeNotices() }));
  await page.route("**/api/reports", (route) => route.fulfill({ json: reports }));
  await page.route("**/api/moderation-notices/read", (route) => route.fulfill({ status: 204 }));
  await page.route("**/api/auth/me", async (route) => {
    const me: unknown = await (await route.fetch()).json();
    await route.fulfill({ json: Object.assign({}, me, { unreadNotices: 1 }) });
  });
  await page.goto(path);
};

/** Mocks the notice of a link in an email, and opens the link. */
async function openNoticeLink(page: Page) {
  const json = makeSuspensionNotice();
  await page.route("**/api/moderation-notices/by-link", (route) => route.fulfill({ json }));
  await page.goto("/notice#x");
}

async function openObjectionDialog(page: Page) {
  await openWithNotices("/settings/notices")(page);
  await page
    .getByRole("button", { name: /^Object/ })
    .first()
    .click();
}

/** Scenes of notices and of the outcomes of reports. */
export const noticeScenes: readonly Scene[] = [
  { name: "home-notice", path: "/", prepare: openWithNotices("/"), shows: /^You have a notice/ },
  {
    name: "notices",
    path: "/",
    prepare: openWithNotices("/settings/notices"),
    shows: "Your invites were frozen",
    whole: true,
  },
  {
    name: "notices-object",
    path: "/",
    prepare: openObjectionDialog,
    shows: "Why is the decision wrong?",
  },
  {
    name: "notices-none",
    path: "/settings/notices",
    shows: "The moderators haven't sent you a notice.",
  },
  {
    name: "notice-link",
    as: "visitor",
    path: "/",
    prepare: openNoticeLink,
    shows: "Your account was suspended",
  },
  {
    name: "notice-link-object",
    as: "visitor",
    path: "/",
    prepare: async (page) => {
      await openNoticeLink(page);
      await press("Object: Your account was suspended")(page);
    },
    shows: "Why is the decision wrong?",
  },
  { name: "notice-link-invalid", as: "visitor", path: "/notice", shows: "This link doesn't work" },
];
