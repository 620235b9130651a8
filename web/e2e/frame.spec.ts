import { ada, mockResponse, mockLogout, logInAsAda, holdResponse, makePost } from "./mock-api";
import { expect, test } from "./test";

const phone = { width: 390, height: 800 };

function postsFrom(first: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => makePost(String(first + index)));
}

// proves: route-home, home-title, home-theme-toggle, shell-user-menu, shell-new-post, shell-sidebar
test("a large screen has a left column", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/");
  const column = page.getByRole("banner").filter({ has: page.getByRole("navigation") });
  for (const [name, href] of [
    ["Home", "/"],
    ["Discover", "/discover"],
    ["Notifications", "/notifications"],
    ["Invites", "/invites"],
    ["Profile", "/profile/ada"],
  ] as const) {
    await expect(column.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  }
  await column.getByRole("button", { name: "New Post", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Create Post", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await column.getByRole("button", { name: "Account menu of Ada Lovelace" }).click();
  await expect(page.getByRole("menuitem", { name: "Logout", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  await main.getByRole("button", { name: "Switch to dark theme" }).click();
  await expect(page.locator("html")).toHaveClass(/dark/);
});

// proves: shell-topbar, shell-compose-button, shell-bottombar
test("a small screen has two bars and a floating button", async ({ page }) => {
  await page.setViewportSize(phone);
  await logInAsAda(page);
  await page.goto("/");
  const bar = page.getByRole("banner").filter({ visible: true }).first();
  await expect(bar.getByRole("img", { name: "Kith" })).toBeVisible();
  await bar.getByRole("button", { name: "Switch to dark theme" }).click();
  await expect(page.locator("html")).toHaveClass(/dark/);
  const bottom = page.getByRole("navigation", { name: "Main" }).locator("visible=true");
  await expect(bottom.getByRole("link")).toHaveText([
    "Home",
    "Discover",
    "Notifications",
    "Profile",
  ]);
  await bar.getByRole("button", { name: "Open menu" }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await menu.getByRole("link", { name: "Invites", exact: true }).click();
  await expect(page).toHaveURL("/invites");
  const write = page.getByRole("button", { name: "New Post" }).locator("visible=true");
  const [box, height] = [await write.boundingBox(), phone.height];
  expect(box?.y).toBeGreaterThan(height / 2);
  await write.click();
  await expect(page.getByRole("dialog", { name: "Create Post", exact: true })).toBeVisible();
});

// proves: theme-choices, theme-default, theme-stored
test("the theme follows the system until the member chooses one", async ({ page }) => {
  await logInAsAda(page);
  const html = page.locator("html");
  const stored = () => page.evaluate(() => localStorage.getItem("vite-ui-theme"));
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  await expect(html).toHaveClass(/dark/);
  expect(await stored()).toBeNull();
  await page.emulateMedia({ colorScheme: "light" });
  await expect(html).not.toHaveClass(/dark/);
  for (const [label, value, dark] of [
    ["Dark", "dark", true],
    ["Light", "light", false],
    ["System", "system", false],
  ] as const) {
    await page
      .getByRole("button", { name: /^Account menu/ })
      .locator("visible=true")
      .click();
    await page.getByRole("menuitemradio", { name: label, exact: true }).click();
    await page.keyboard.press("Escape");
    await expect(html).toHaveClass(dark ? /dark/ : /^(?!.*dark)/);
    expect(await stored()).toBe(value);
  }
});

// proves: logout, logout-forgets
test("a logout removes everything of the member from the page", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7", { content: "For members only" })]);
  await mockLogout(page);
  await page.goto("/");
  await expect(page.getByText("For members only")).toBeVisible();
  await page
    .getByRole("button", { name: /^Account menu/ })
    .locator("visible=true")
    .click();
  await page.getByRole("menuitem", { name: "Logout", exact: true }).click();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expect(page).toHaveURL("/");
  // The next member sees nothing of the previous one.
  const release = await holdResponse(page, "posts/feed?*");
  await mockResponse(page, "auth/me", ada);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await mockResponse(page, "auth/request-magic-link", {});
  await mockResponse(page, "auth/verify-code", {});
  await page.getByLabel("Invite code").fill("ABCD2345EFGH");
  await page.getByLabel("Email", { exact: true }).fill("next@example.org");
  await page.getByRole("button", { name: "Send magic link", exact: true }).click();
  await page.getByLabel("Or enter the code from the email").fill("ABCDEFGH");
  await page.getByRole("button", { name: "Log in with code", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  await expect(page.getByText("For members only")).toHaveCount(0);
  await release([]);
});

// proves: home-friends-empty
test("an empty feed says what to do", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/");
  const text = "No posts from people you follow yet. Try following some users!";
  await expect(page.getByText(text, { exact: true })).toBeVisible();
});

// proves: home-load-more, home-load-more-appends, web-pages-by-cursor, call-get-feed
test("more posts are loaded after a full page only", async ({ page }) => {
  await logInAsAda(page);
  const requested: string[] = [];
  await page.route("**/api/posts/feed?*", (route) => {
    const { search } = new URL(route.request().url());
    requested.push(search);
    const link = '</api/posts/feed?limit=20&cursor=120>; rel="next"';
    return search.includes("cursor")
      ? route.fulfill({ json: postsFrom(120, 19) })
      : route.fulfill({ json: postsFrom(100, 20), headers: { link } });
  });
  await page.goto("/");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(20);
  const more = page.getByRole("button", { name: "Load more posts", exact: true });
  await more.click();
  await expect(cards).toHaveCount(39);
  await expect(cards.first()).toContainText("Post 100");
  await expect(more).toHaveCount(0);
  expect(requested).toEqual(["?limit=20&offset=0", "?limit=20&cursor=120"]);
});

test("the scripts of a screen are preloaded", async ({ page }) => {
  const scripts = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].map(({ href }) =>
        href.replace(/^.*\/|-[\w-]{8}\.js$/g, ""),
      ),
    );
  await page.goto("/");
  await expect.poll(scripts).toEqual(expect.arrayContaining(["landing", "forms"]));
  await page.goto("/terms");
  await expect(page.getByRole("heading", { name: "Terms" })).toBeVisible();
  expect(await scripts()).not.toContain("landing");
  await logInAsAda(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await page.goto("/notifications");
  expect(await scripts()).toEqual(
    expect.arrayContaining(["authenticated-app", "feed", "notifications"]),
  );
  expect(await scripts()).not.toContain("landing");
});

// proves: web-cookies
test("every request sends the session's cookie", async ({ page, kith }) => {
  await page.context().addCookies([{ name: "session", value: "invented", url: kith.url }]);
  const cookieOf = async (path: string) => {
    const request = await page.waitForRequest(`**/api/${path}`);
    return (await request.allHeaders())["cookie"] ?? "";
  };
  const requested = cookieOf("auth/me");
  await page.goto("/");
  expect(await requested).toContain("session=invented");
  const joined = cookieOf("waitlist");
  await page.getByLabel("Email address").fill("cookies@example.com");
  await page.getByRole("button", { name: "Join waitlist" }).click();
  expect(await joined).toContain("session=invented");
});
