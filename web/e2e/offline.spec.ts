import {
  ada,
  mockResponse,
  mockLogout,
  logInAsAda,
  bob,
  makeSession,
  expectError,
  makePost,
  mockError,
} from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

// A sign-in link of the operator ends the founder's first link, which tests of a shared server need.
test.use({ serverFor: "offline" });

const unreachable = "Kith can't be reached right now.";
const busy = "Kith is busy. Please try again.";

/** Each screen, its required request, a response, and the content that it leads to. */
const screens: Record<string, [path: string, call: string, good: unknown, shown: string]> = {
  Home: ["/", "posts/feed?*", [makePost("7")], "Post 7"],
  "the thread": ["/post/7", "posts/7/thread", threadOf("7"), "Post 7"],
  "the profile": ["/profile/bob", "users/bob", { ...ada, ...bob }, "Joined March 2026"],
  "a profile's posts": ["/profile/ada", "users/ada/posts?*", [makePost("7")], "Post 7"],
  "the list of followers": [
    "/profile/ada/followers",
    "users/ada/followers?*",
    [{ ...ada, ...bob }],
    "@bob",
  ],
  "the hashtag": ["/tag/tea", "hashtags/tea/posts?*", [makePost("7")], "Post 7"],
  "the notifications": ["/notifications", "notifications?*", [], "No notifications yet"],
  "the invites": ["/invites", "invites", [], "Active Invites"],
  "the settings": ["/settings", "auth/sessions", [makeSession("7")], "Firefox on Linux"],
  "who is logged in": ["/invites", "auth/me", ada, "Active Invites"],
};

function threadOf(id: string) {
  return { ancestors: [], post: makePost(id), replies: [] };
}

function postsFrom(newest: number, count: number) {
  return Array.from({ length: count }, (_, at) => makePost(String(newest - at)));
}

async function cut(page: Page, call: string) {
  await page.route(`**/api/${call}`, (route) => route.abort());
}

for (const [screen, [path, call, good, shown]] of Object.entries(screens)) {
  // proves: error-sentence, error-retry
  test(`${screen} shows that Kith can't be reached, and retries`, async ({ page }) => {
    await logInAsAda(page);
    await mockResponse(page, "follows/2/status", { isFollowing: false });
    await cut(page, call);
    await page.goto(path);
    const alert = page.getByRole("alert");
    // The composer is available meanwhile.
    const name = call === "auth/me" ? /^(?:Try again|Retry)$/ : "Retry";
    const retry = alert.getByRole("button", { name, exact: true });
    await expect(alert).toContainText(unreachable);
    if (path === "/profile/bob" || call === "auth/me") {
      await expectAccessible(page, `${screen}, unreachable`);
    }
    await mockError(page, call, 503, busy);
    await retry.click();
    await expect(alert).toContainText(busy);
    await expect(alert).toContainText("503: Service Unavailable");
    await mockError(page, call, 500);
    await retry.click();
    await expect(alert).toContainText("Something went wrong.");
    await mockResponse(page, call, good);
    await retry.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main").getByText(shown, { exact: true })).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
}

// proves: error-sentence, error-retry, error-code
test("without a network each screen shows a message immediately", async ({ page, context }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/7/thread", threadOf("7"));
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  await page.getByText("Post 7", { exact: true }).click();
  await expect(page.getByRole("heading", { name: "Thread", exact: true })).toBeVisible();
  await page.goBack();

  await context.setOffline(true);
  await cut(page, "**");
  await page.route("**/assets/invites-*.js", (route) => route.abort());
  const alert = page.getByRole("alert");
  // This screen's code was never loaded; loaded screens still work.
  await page.getByRole("link", { name: "Invites", exact: true }).locator("visible=true").click();
  await expect(alert).toContainText(unreachable);
  await alert.getByRole("button", { name: "Retry", exact: true }).click();
  await expectError(page, "You are offline.");
  await page.getByRole("link", { name: "Home", exact: true }).locator("visible=true").click();
  await expect(page.getByText("Post 7", { exact: true })).toBeVisible();

  await page.getByLabel("Your post").fill("Written in a tunnel");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expectError(page, "Failed to create post. Please try again.");
  await page.getByRole("button", { name: "Like", exact: true }).click();
  await expectError(page, "Failed to update like. Please try again.");

  await context.setOffline(false);
  await page.unroute("**/api/**");
  await logInAsAda(page);
  // Hovering the link loads the screen's code. Block it until the screen shows the error.
  await page.getByRole("link", { name: "Invites", exact: true }).locator("visible=true").click();
  await expect(alert).toContainText(unreachable);
  await page.unroute("**/assets/invites-*.js");
  await alert.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).locator("visible=true").click();
  await expect(page.getByLabel("Your post")).toHaveValue("Written in a tunnel");
});

// proves: error-stale
test("content that cannot be refreshed stays, with a notice", async ({ page }) => {
  const post = makePost("7");
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [post]);
  await mockResponse(page, "posts", makePost("9", { repostOfId: "7", repostOf: post }), 201);
  await page.goto("/");
  await page.getByRole("button", { name: "Repost", exact: true }).click();
  await expect(page.getByRole("button", { name: "Undo repost, 1", exact: true })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.getByRole("link", { name: "Invites", exact: true }).locator("visible=true").click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  await cut(page, "posts/feed?*");
  await page.getByRole("link", { name: "Home", exact: true }).locator("visible=true").click();
  const notice = page.getByText(`${unreachable} What you see may be old.`);
  await expect(notice).toBeVisible();
  await expect(page.getByText("Post 7", { exact: true })).toBeVisible();
  await expectAccessible(page, "Home, out of date");
  await mockResponse(page, "posts/feed?*", [makePost("8")]);
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(page.getByText("Post 8", { exact: true })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

// proves: error-401-toast, composer-kept
test("a draft survives the session's end", async ({ page }) => {
  await logInAsAda(page);
  await mockError(page, "posts", 401);
  await page.route("**/api/login", (route) => route.fulfill({ body: "the login" }));
  await page.goto("/");
  await page.getByLabel("Your post").fill("Half a thought");
  await page.getByRole("button", { name: "Add poll" }).click();
  await page.getByPlaceholder("Option 1").fill("Tea");
  await page.getByPlaceholder("Option 2").fill("Coffee");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL("/api/login");
  await page.goto("/");
  await expect(page.getByLabel("Your post")).toHaveValue("Half a thought");
  await expect(page.getByPlaceholder("Option 2")).toHaveValue("Coffee");
});

// proves: home-load-more-focus
test("the focus moves to the first post of the next page", async ({ page }) => {
  await logInAsAda(page);
  let tries = 0;
  await page.route("**/api/posts/feed?*", (route) => {
    const link = '</api/posts/feed?limit=20&cursor=181>; rel="next"';
    if (!route.request().url().includes("cursor")) {
      return route.fulfill({ json: postsFrom(200, 20), headers: { link } });
    }
    tries += 1;
    return tries === 1 ? route.abort() : route.fulfill({ json: postsFrom(180, 5) });
  });
  await page.goto("/");
  await page.getByRole("button", { name: "Load more posts", exact: true }).press("Enter");
  const retry = page.getByRole("alert").getByRole("button", { name: "Retry", exact: true });
  await expect(retry).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article")).toHaveCount(25);
  await expect(page.getByRole("article").nth(20)).toBeFocused();
});

// proves: logout-offline, logout-drafts
test("a logout without a network deletes the member's data in the browser, and ends the session later", async ({
  page,
}) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
  await page.getByPlaceholder("What's on your mind?").first().fill("not meant for others");
  await page.route("**/api/auth/logout", (route) => route.abort());
  await page
    .getByRole("button", { name: /^Account menu/u })
    .locator("visible=true")
    .click();
  await page.getByRole("menuitem", { name: "Logout", exact: true }).click();
  const toasts = page.getByRole("region", { name: "Notifications (F8)" });
  await expect(toasts).toContainText("Failed to logout");
  await expect(toasts).toContainText("You're logged out on this device,");
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  expect(stored).not.toContain("not meant for others");
  // The cookie still exists, but the page stays that of a visitor.
  await page.reload();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await page.unroute("**/api/auth/logout");
  const sent = page.waitForRequest("**/api/auth/logout");
  let isOver = false;
  await page.route("**/api/auth/logout", async (route) => {
    isOver = true;
    await route.fulfill({ json: { message: "" } });
  });
  const endedAtRequest: boolean[] = [];
  await page.route("**/api/auth/me", async (route) => {
    endedAtRequest.push(isOver);
    await (isOver ? route.fulfill({ status: 401, json: {} }) : route.fallback());
  });
  await page.reload();
  await sent;
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  expect(
    endedAtRequest,
    "the current user is not requested before the session has ended",
  ).not.toContain(false);
});

// proves: logout-offline
test("a logout without a network ends the session once there is one", async ({ page, kith }) => {
  await page.goto(await kith.signInLink("founder"));
  await expect(page.getByLabel("Your post")).toBeVisible();
  const countResources = () => page.evaluate(() => performance.getEntriesByType("resource").length);
  // The landing page was not loaded before, so it comes from the prefetched files.
  const fetched = page.waitForResponse("**/assets/landing-*.js");
  await page.reload();
  await fetched;
  let before = 0;
  const isIdle = async () => before === (before = await countResources());
  await expect.poll(isIdle, { intervals: [1_000] }).toBe(true);
  const mark = () => page.evaluate(() => localStorage.getItem("kith:logout"));
  await page.context().setOffline(true);
  const left = page.waitForEvent("requestfailed", (request) => request.isNavigationRequest());
  await page
    .getByRole("button", { name: /^Account menu/u })
    .locator("visible=true")
    .click();
  await page.getByRole("menuitem", { name: "Logout", exact: true }).click();
  // The server cannot be reached, so the browser shows its error page.
  await left;
  await page.context().setOffline(false);
  const ended = page.waitForResponse("**/api/auth/logout");
  await page.goto("/");
  expect((await ended).status()).toBe(200);
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expect.poll(mark).toBeNull();
});

// proves: logout-answers
test("requests sent before a logout end with their page", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await mockLogout(page);
  await page.route("**/api/posts", () => undefined);
  await page.goto("/");
  await page.getByLabel("Your post").fill("Sent at the last moment");
  await page.getByRole("button", { name: "Post", exact: true }).locator("visible=true").click();
  const ended = page.waitForEvent("requestfailed", (request) =>
    request.url().endsWith("/api/posts"),
  );
  await page
    .getByRole("button", { name: /^Account menu/u })
    .locator("visible=true")
    .click();
  await page.getByRole("menuitem", { name: "Logout", exact: true }).click();
  await ended;
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
});

// proves: logout-silent, logout-drafts
test("a logout without a response deletes the member's data in the browser", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
  await page.getByLabel("Your post").fill("not meant for others");
  await page.waitForLoadState("networkidle");
  await page.route("**/api/auth/logout", () => undefined);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page
    .getByRole("button", { name: /^Account menu/u })
    .locator("visible=true")
    .click();
  await page.getByRole("menuitem", { name: "Logout", exact: true }).click();
  const landing = page.getByRole("heading", { name: "The human network" });
  await expect(landing).toBeVisible();
  const stored = await page.evaluate(() => ({ ...localStorage }));
  expect(stored).toHaveProperty("kith:logout");
  expect(stored).not.toHaveProperty("kith:member");
  expect(JSON.stringify(stored)).not.toContain("not meant for others");
  const toasts = page.getByRole("region", { name: "Notifications (F8)" });
  await expect(toasts).toContainText("You're logged out on this device,");
  // The page stays that of a visitor, and does not wait for the response.
  await page.reload();
  await expect(landing).toBeVisible();
  expect(requested).toContain("/api/auth/logout");
  expect(requested).not.toContain("/api/auth/me");
});
