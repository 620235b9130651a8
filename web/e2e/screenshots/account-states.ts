import type { Page } from "@playwright/test";
import type { Scene } from "./scene";

/** Replaces fields of the viewer, and reloads the page. */
const withViewer = (state: object) => async (page: Page) => {
  await page.route("**/api/auth/me", async (route) => {
    const me: unknown = await (await route.fetch()).json();
    await route.fulfill({ json: Object.assign({}, me, state) });
  });
  await page.reload();
};

/** Mocks the response to the cookie of an ended session. */
const withEndedSession = (address: string) => async (page: Page) => {
  const message =
    "You were logged out here, from another device or because your account changed. Please log in again.";
  const json = { message, code: "session_ended" };
  await page.route("**/api/auth/me", (route) => route.fulfill({ status: 401, json }));
  await page.goto(address);
};

/** Mocks an email change, and opens a link of its emails. */
export const openEmailLink = (step: string) => async (page: Page) => {
  const json = { newEmail: "marlene.okafor-lindqvist@example.net", username: "marlene_okafor" };
  await page.route("**/api/account/email/confirm?*", (route) => route.fulfill({ json }));
  await page.goto(`/account/confirm?step=${step}&token=x`);
};

/** Scenes of accounts and sessions that need attention. */
export const accountStates: readonly Scene[] = [
  {
    name: "home-no-email",
    path: "/",
    prepare: withViewer({ email: null }),
    shows: "Add an email address so you can log in again.",
  },
  {
    name: "home-leaving",
    path: "/",
    prepare: withViewer({ deletionAt: new Date(Date.now() + 5 * 86_400_000).toISOString() }),
    shows: "Keep my account",
  },
  {
    name: "invites-frozen",
    path: "/invites",
    prepare: withViewer({ invitesFrozen: true, invitesAvailable: 0 }),
    shows: "Your invites are frozen",
  },
  {
    name: "landing-session-ended",
    as: "visitor",
    path: "/",
    prepare: withEndedSession("/"),
    shows: /^You were logged out here/,
  },
  {
    name: "login-session-ended",
    as: "visitor",
    path: "/",
    prepare: withEndedSession("/?login=1"),
    shows: "Send magic link",
  },
  {
    name: "verify-logged-in",
    path: "/",
    prepare: async (page) => {
      const json = { message: "Used.", code: "link_used" };
      await page.route("**/api/auth/verify?*", (route) => route.fulfill({ status: 410, json }));
      await page.goto("/auth/verify?token=none");
    },
    shows: "You're already logged in",
  },
  { name: "confirm-email-new", path: "/", prepare: openEmailLink("new"), shows: "This wasn't me" },
];
