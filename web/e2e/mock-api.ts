import { expect, type Locator, type Page, type Route } from "@playwright/test";
import type { Session, Me, UserSummary, Post } from "../src/api/types";
import { makePost as makeRecord } from "../src/test/mock-api/records";
import type { components } from "../src/api/schema.gen";

/** A moment two hours ago, as the server writes it. */
export const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000).toISOString();

/** The mocked member who is logged in. */
export const ada: Me = {
  id: "1",
  username: "ada",
  displayName: "Ada Lovelace",
  bio: "First of all.",
  website: "https://ada.example/",
  profileImageUrl: null,
  headerImageUrl: null,
  createdAt: "2026-03-15T12:00:00.000Z",
  followerCount: 1_204,
  followingCount: 3,
  postCount: 2,
  isFollowing: false,
  followsYou: false,
  isMuted: false,
  isBlocked: false,
  blocksMe: false,
  invitedBy: { id: "2", username: "bob", displayName: "Bob", profileImageUrl: null },
  email: "ada@example.org",
  suspendedAt: null,
  deletionAt: null,
  invitesAvailable: 2,
  invitesFrozen: false,
  unreadNotificationCount: 0,
  role: "member",
  acceptedRulesVersion: 0,
  announcement: null,
  usernameIsProvisional: false,
  unreadNotices: 0,
};

/** Another mocked member. */
export const bob: UserSummary = {
  id: "2",
  username: "bob",
  displayName: "Bob",
  profileImageUrl: "/favicon.svg",
};

/** A mocked post of Bob's. */
const pushed = { from: "everyone", push: true } as const;
const listed = { from: "everyone", push: false } as const;

const notificationSettings: components["schemas"]["NotificationSettings"] = {
  follow: pushed,
  like: listed,
  reply: pushed,
  repost: listed,
  mention: pushed,
  quietHours: null,
  weeklyDigest: false,
};

export function makePost(id: string, more: Partial<Post> = {}): Post {
  return makeRecord(bob, `Post ${id}`, { id, createdAt: twoHoursAgo, ...more });
}

/** A mocked session of Ada's, last used two hours ago. */
export function makeSession(id: string, more: Partial<Session> = {}): Session {
  return {
    id,
    name: "Firefox on Linux",
    createdAt: new Date(2026, 2, 5, 12).toISOString(),
    lastUsedAt: twoHoursAgo,
    isCurrent: false,
    ...more,
  };
}

/** Responds with `json` to requests to a path below `/api/`, which may have wildcards. */
export async function mockResponse(page: Page, path: string, json: unknown, status = 200) {
  await page.route(`**/api/${path}`, (route) => route.fulfill({ status, json }));
}

/** Responds to such requests with an error: a message, or an empty body. */
export async function mockError(page: Page, path: string, status: number, message?: string) {
  const body = message === undefined ? "" : JSON.stringify({ message, code: "invented" });
  await page.route(`**/api/${path}`, (route) => route.fulfill({ status, body }));
}

/** Holds the first such response back until the returned function is called. */
export async function holdResponse(
  page: Page,
  path: string,
): Promise<(json?: unknown, status?: number) => Promise<void>> {
  let arrived: (route: Route) => void;
  const held = new Promise<Route>((resolve) => (arrived = resolve));
  await page.route(`**/api/${path}`, (route) => arrived(route));
  return async (json = {}, status = 200) => (await held).fulfill({ json, status });
}

/** Mocks an API where Ada is logged in and all lists are empty. */
export async function logInAsAda(page: Page, more: Partial<Me> = {}) {
  await mockResponse(page, "**", { message: "This request has no mock.", code: "invented" }, 404);
  await mockResponse(page, "auth/me", { ...ada, ...more });
  for (const list of ["posts/feed?*", "posts/for-you?*", "users/suggested?*", "trending?*"]) {
    await mockResponse(page, list, []);
  }
  await mockResponse(page, "account", {
    email: "ada@example.org",
    pendingEmail: null,
    deletion: null,
  });
  const none = { state: "none", percent: 0, size: null, createdAt: null, expiresAt: null };
  await mockResponse(page, "account/export", none);
  await mockResponse(page, "notifications/settings", notificationSettings);
  await mockResponse(page, "push", { publicKey: "", subscription: null });
  for (const list of [
    "moderation-notices",
    "reports",
    "notifications?*",
    "invites",
    "users/*/posts?*",
    "mutes?*",
    "blocks?*",
    "waitlist/vouches?*",
  ]) {
    await mockResponse(page, list, []);
  }
  await mockResponse(page, "users/ada", ada);
}

/** Ends the mocked session on logout. */
export async function mockLogout(page: Page, status = 200) {
  await page.route("**/api/auth/logout", async (route) => {
    await mockResponse(page, "auth/me", { message: "", code: "unauthorized" }, 401);
    await route.fulfill({ status, json: { message: "You are logged out." } });
  });
}

/** The toast on screen, which an open dialog hides from roles. */
export function getToast(page: Page): Locator {
  return page.locator("[aria-label='Notifications (F8)'] li");
}

/** Expects one toast with exactly this title and, below it, this text. */
export async function expectToast(page: Page, title: string, text = "") {
  await expect(getToast(page)).toHaveText([`${title}${text}`]);
}

/**
 * Expects a toast that the session has ended, and a redirect to the login. The login has no content, so that
 * the page stays and the toast can be read however slow the test is.
 */
export async function expectRedirectToLogin(
  page: Page,
  action: () => Promise<unknown>,
): Promise<void> {
  await page.route("**/api/login", (route) => route.fulfill({ status: 204 }));
  const redirect = page.waitForRequest("**/api/login");
  await action();
  await expectToast(page, "Unauthorized", "You are logged out. Logging in again...");
  await redirect;
}

/** Expects a toast of the destructive kind, named "Error". */
export async function expectError(page: Page, text: string) {
  await expectToast(page, "Error", text);
  await expect(getToast(page)).toHaveClass(/\bborder-destructive\b/);
}
