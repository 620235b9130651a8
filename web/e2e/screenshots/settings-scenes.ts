import type { Page } from "@playwright/test";
import { openEmailLink } from "./account-states";
import {
  openActionDialog,
  mockModeration,
  openModerationFilter,
  openModerationTab,
} from "./moderation-states";
import { failRequests, openCardMenu, press, type Scene, holdResponse } from "./scene";

/** Replaces the relationship between the viewer and the profile's member. */
const withRelationship = (ties: object) => async (page: Page) => {
  await page.route("**/api/users/elif", async (route) => {
    const response = await route.fetch();
    const user: unknown = await response.json();
    await route.fulfill({ json: Object.assign({}, user, ties) });
  });
  await page.reload();
};

/** Mocks several devices. */
async function showDevices(page: Page) {
  const names = ["Chrome on Windows", "Safari on iPhone", "Samsung Internet on Android"];
  const devices = names.map((name, number) => ({
    id: String(number + 1),
    name,
    createdAt: new Date(Date.now() - (number + 2) * 86_400_000).toISOString(),
    lastUsedAt: new Date(Date.now() - number * 30 * 3_600_000).toISOString(),
    isCurrent: number === 0,
  }));
  await page.route("**/api/auth/sessions", (route) => route.fulfill({ json: devices }));
  await page.reload();
}

const reportCard = async (page: Page) => {
  await openCardMenu(page);
  await page.getByRole("menuitem", { name: "Report", exact: true }).click();
};

/** Scenes of settings, mutes and blocks, reports and moderation. */
export const settingsScenes: readonly Scene[] = [
  { name: "settings", path: "/settings", prepare: showDevices, shows: "Safari on iPhone" },
  { name: "settings-only-device", path: "/settings", shows: "on this device only" },
  {
    name: "settings-loading",
    path: "/settings",
    prepare: holdResponse("auth/sessions"),
    shows: "Devices where you",
  },
  {
    name: "settings-failed",
    path: "/settings",
    prepare: failRequests("auth/sessions"),
    shows: "Retry",
  },
  {
    name: "settings-log-out-everywhere",
    path: "/settings",
    prepare: press("Log out everywhere"),
    shows: "Log out everywhere?",
  },
  {
    name: "settings-muted-and-blocked",
    path: "/settings",
    prepare: async (page) => {
      const list = async (address: string, member: string) => {
        const user: unknown = await (await page.request.get(`/api/users/${member}`)).json();
        await page.route(`**/api/${address}?*`, (route) => route.fulfill({ json: [user] }));
      };
      await list("mutes", "elif");
      await list("blocks", "sam");
      await page.reload();
    },
    shows: "@sam",
    whole: true,
  },
  {
    name: "profile-menu",
    path: "/profile/elif",
    prepare: press("More about this profile"),
    shows: "Mute @elif",
  },
  {
    name: "profile-block-question",
    path: "/profile/elif",
    prepare: async (page) => {
      await press("More about this profile")(page);
      await page.getByRole("menuitem", { name: "Block @elif" }).click();
    },
    shows: "Block @elif?",
  },
  {
    name: "profile-blocked",
    path: "/profile/elif",
    prepare: withRelationship({ isBlocked: true, followsYou: false }),
    shows: "You blocked @elif",
  },
  {
    name: "profile-blocks-you",
    path: "/profile/elif",
    prepare: withRelationship({ blocksMe: true, followsYou: false }),
    shows: "@elif blocked you",
  },
  { name: "report", path: "/?tab=for-you", prepare: reportCard, shows: "What is wrong?" },
  { name: "admin-reports", path: "/admin", prepare: mockModeration, shows: "Cheap watches 1" },
  {
    name: "admin-members",
    path: "/admin",
    prepare: openModerationTab("Members"),
    shows: "Suspended",
  },
  {
    name: "admin-waitlist",
    path: "/admin",
    prepare: openModerationTab("Waitlist"),
    shows: "Joined",
  },
  {
    name: "admin-audit",
    path: "/admin",
    prepare: openModerationTab("Audit log"),
    shows: "Asked twice to stop",
  },
  {
    name: "admin-asks",
    path: "/admin",
    prepare: openActionDialog("Suspend"),
    shows: /logged out everywhere/,
  },
  {
    name: "admin-objections",
    path: "/admin",
    prepare: openModerationFilter("Objections"),
    shows: "Objection to a suspension",
  },
  {
    name: "admin-removed-posts",
    path: "/admin",
    prepare: openModerationFilter("Removed posts"),
    shows: "Cheap watches 1",
  },
  { name: "settings-account", path: "/settings", whole: true, shows: "Delete my account" },
  {
    name: "settings-account-busy",
    path: "/settings",
    prepare: async (page) => {
      const now = Date.now();
      const time = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
      const pendingEmail = {
        email: "new@example.net",
        expiresAt: time(14),
        isNewConfirmed: true,
        isOldConfirmed: false,
      };
      const deletion = { deleteAt: time(7 * 24 * 60) };
      await page.route("**/api/account", (route) =>
        route.fulfill({ json: { email: "amina@example.org", pendingEmail, deletion } }),
      );
      const made = {
        state: "running",
        percent: 62,
        size: null,
        createdAt: time(0),
        expiresAt: null,
      };
      await page.route("**/api/account/export", (route) => route.fulfill({ json: made }));
      await page.reload();
    },
    whole: true,
    shows: "Keep my account",
  },
  {
    name: "settings-delete",
    path: "/settings",
    prepare: press("Delete my account"),
    shows: "Delete your account?",
  },
  {
    name: "confirm-email",
    path: "/",
    prepare: openEmailLink("old"),
    shows: "Change your email address?",
  },
  {
    name: "confirm-email-failed",
    path: "/",
    prepare: async (page) => {
      await openEmailLink("undo")(page);
      await page.getByRole("button", { name: /^Keep my/ }).click();
    },
    shows: "Something went wrong",
  },
];
