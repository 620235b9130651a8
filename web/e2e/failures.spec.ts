import type { Locator } from "@playwright/test";
import {
  ada,
  mockResponse,
  mockLogout,
  logInAsAda,
  bob,
  expectError,
  expectToast,
  makePost,
  mockError,
  getToast,
} from "./mock-api";
import { expect, logOut, type Page, test } from "./test";

async function openFeed(page: Page) {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
  return page.getByRole("article");
}

async function openBob(page: Page) {
  await logInAsAda(page);
  await mockResponse(page, "users/bob", { ...ada, ...bob });
  await mockResponse(page, "users/bob/posts?*", [makePost("7")]);
  await mockResponse(page, "follows/2/status", { isFollowing: false });
  await page.goto("/profile/bob");
  return page.getByRole("article");
}

async function openProfileForm(page: Page) {
  await logInAsAda(page);
  await page.goto("/profile/ada");
  await page.getByRole("button", { name: "Edit Profile", exact: true }).click();
  return page.getByRole("button", { name: "Save", exact: true });
}

async function openUnread(page: Page) {
  await logInAsAda(page, { unreadNotificationCount: 1 });
  await page.goto("/notifications");
  return page.getByRole("button", { name: "Mark all as read", exact: true });
}

// proves: card-like-reverts, card-repost-reverts, error-destructive
test("a failed like and a failed repost are reverted", async ({ page }) => {
  const card = await openFeed(page);
  await mockError(page, "posts/7/like", 500);
  await card.getByRole("button", { name: "Like", exact: true }).click();
  await expectError(page, "Failed to update like. Please try again.");
  await expect(card.getByRole("button", { name: "Like", exact: true })).toBeVisible();
  await mockError(page, "posts", 500);
  await card.getByRole("button", { name: "Repost", exact: true }).click();
  await expectError(page, "Failed to repost. Please try again.");
  await expect(card.getByRole("button", { name: "Repost", exact: true })).toBeVisible();
});

// proves: card-like-profile, follow-failed
test("on a profile a failed like and a failed follow show a toast", async ({ page }) => {
  const card = await openBob(page);
  await mockError(page, "posts/7/like", 500);
  await card.getByRole("button", { name: "Like", exact: true }).click();
  await expectError(page, "Failed to like post. Please try again.");
  await expect(card.getByRole("button", { name: "Like", exact: true })).toBeVisible();
  await mockError(page, "follows", 500);
  const follow = page.getByRole("button", { name: "Follow @bob" });
  await follow.click();
  await expectError(page, "Failed to update follow status. Please try again.");
  await expect(follow).toHaveText("Follow");
});

/** Actions that the server can reject: the request of each, and the steps before the click. */
const refusable: Record<string, [string, (page: Page) => Promise<Locator>]> = {
  "a new post": [
    "posts",
    async (page) => {
      await openFeed(page);
      await page.getByLabel("Your post").fill("Hello");
      return page.getByRole("button", { name: "Post", exact: true });
    },
  ],
  "a like": ["posts/7/like", async (page) => buttonOf(await openFeed(page), "Like")],
  "a like on a profile": ["posts/7/like", async (page) => buttonOf(await openBob(page), "Like")],
  "a repost": ["posts", async (page) => buttonOf(await openFeed(page), "Repost")],
  "a follow": [
    "follows",
    async (page) => {
      await openBob(page);
      return page.getByRole("button", { name: "Follow @bob" });
    },
  ],
  "a vote": [
    "posts/7/vote",
    async (page) => {
      await logInAsAda(page);
      await mockResponse(page, "posts/feed?*", [makePost("7", { pollOptions: ["Tea", "Coffee"] })]);
      await page.goto("/");
      return page.getByRole("button", { name: /^Tea/ });
    },
  ],
  "a deletion": [
    "posts/7",
    async (page) => {
      await logInAsAda(page);
      await mockResponse(page, "posts/feed?*", [makePost("7", { author: ada })]);
      await page.goto("/");
      await page.getByRole("article").getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
      return page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true });
    },
  ],
  "a profile change": ["users/profile", openProfileForm],
  "reading all notifications": ["notifications/read-all", openUnread],
};

function buttonOf(card: Locator, name: string): Locator {
  return card.getByRole("button", { name, exact: true });
}

for (const [action, [address, prepare]] of Object.entries(refusable)) {
  // proves: error-action-sentence
  test(`${action} that is rejected shows the server's message`, async ({ page }) => {
    const last = await prepare(page);
    await mockError(page, address, 403, "This member blocked you.");
    await last.click();
    await expectError(page, "This member blocked you.");
  });
}

// proves: error-action-field
test("an error at a field shows no toast", async ({ page }) => {
  const save = await openProfileForm(page);
  const sentence = "At most 50 characters, please.";
  const body = { message: sentence, code: "invalid", fields: { displayName: sentence } };
  await mockResponse(page, "users/profile", body, 422);
  await save.click();
  const field = page.getByLabel("Display Name");
  await expect(field).toHaveAccessibleDescription(sentence);
  await expect(field).toBeFocused();
  await expect(getToast(page)).toHaveCount(0);
});

// proves: home-feed-failed
test("a feed that fails shows the status", async ({ page }) => {
  await logInAsAda(page);
  await mockError(page, "posts/feed?*", 503);
  await page.goto("/");
  await expect(page.getByRole("alert")).toContainText("503: Service Unavailable");
});

for (const status of [500, 502, 503]) {
  // proves: logout-failed, logout-offline
  test(`a logout that fails with ${status} shows a toast and deletes the member's data in the browser`, async ({
    page,
  }) => {
    await openFeed(page);
    await mockError(page, "auth/logout", status);
    await logOut(page);
    await expectToast(
      page,
      "Failed to logout",
      "You're logged out on this device, but we couldn't reach Kith to end the session. We'll do that the next time you open Kith here. To end it now, log out this device from another one.",
    );
    await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
    // The cookie still exists, but the page stays that of a visitor.
    await page.reload();
    await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
    await mockResponse(page, "auth/logout", { message: "" });
    await mockResponse(page, "auth/me", {}, 401);
    const sent = page.waitForRequest("**/api/auth/logout");
    await page.reload();
    await sent;
    await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  });
}

// proves: logout-forgets
test("a logout from a session that has ended succeeds", async ({ page }) => {
  await openFeed(page);
  await mockLogout(page, 401);
  await logOut(page);
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("kith:logout"))).toBeNull();
  await expect(page.getByText("Failed to logout")).toHaveCount(0);
});

// proves: invites-generate-failed
test("an invite code that cannot be created shows the reason", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/invites");
  const generate = page.getByRole("button", { name: "Generate Invite Code", exact: true });
  await page.route("**/api/invites", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 409, json: { message: "You have no invites left." } })
      : route.fallback(),
  );
  await generate.click();
  await expectError(page, "You have no invites left.");
  await page.route("**/api/invites", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 500, body: "" })
      : route.fallback(),
  );
  await generate.click();
  await expectError(page, "Failed to create invite code. You may have reached your limit.");
});

/** Actions of a member whose session has ended, up to the last click. */
const actions: Record<string, (page: Page) => Promise<Locator>> = {
  like: async (page) => {
    const card = await openFeed(page);
    await mockError(page, "posts/7/like", 401);
    return card.getByRole("button", { name: "Like", exact: true });
  },
  follow: async (page) => {
    await openBob(page);
    await mockError(page, "follows", 401);
    return page.getByRole("button", { name: "Follow @bob" });
  },
  "profile change": async (page) => {
    const save = await openProfileForm(page);
    await mockError(page, "users/profile", 401);
    return save;
  },
  "reading of notifications": async (page) => {
    const readAll = await openUnread(page);
    await mockError(page, "notifications/read-all", 401);
    return readAll;
  },
  "view of the feed": async (page) => {
    await logInAsAda(page);
    await page.goto("/invites");
    await expect(page.getByRole("heading", { name: "Invite Friends", exact: true })).toBeVisible();
    await mockError(page, "posts/feed?*", 401);
    return page.getByRole("link", { name: "Home", exact: true }).locator("visible=true");
  },
};

// proves: home-logged-out
test("a feed without a session redirects to the login", async ({ page }) => {
  await logInAsAda(page);
  await mockError(page, "posts/feed?*", 401);
  // The login responds without content, or it would replace this page before the toast can be read.
  await page.route("**/api/login", (route) => route.fulfill({ status: 204 }));
  await page.goto("/");
  const text = page.getByRole("main").getByText("Please log in to see your feed.", { exact: true });
  await expect(text).toBeVisible();
});

for (const [action, prepare] of Object.entries(actions)) {
  // proves: error-401-toast, error-401-login
  test(`a ${action} after the session's end leads to the login`, async ({ page }) => {
    await page.clock.install();
    const last = await prepare(page);
    await page.route("**/api/login", (route) => route.fulfill({ body: "the login" }));
    await expect(last).toBeEnabled();
    await page.clock.pauseAt(Date.now() + 60_000);
    await last.click();
    await expect(async () => {
      await page.clock.runFor(1);
      await expect(getToast(page)).toHaveCount(1, { timeout: 200 });
    }).toPass();
    await expectToast(page, "Unauthorized", "You are logged out. Logging in again...");
    const here = page.url();
    await page.clock.runFor(480);
    // A navigation takes time.
    await page.waitForTimeout(300);
    expect(page.url()).toBe(here);
    await page.clock.runFor(40);
    await expect(page).toHaveURL("/api/login");
  });
}
