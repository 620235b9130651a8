import type { BrowserContext } from "@playwright/test";
import type { Kith } from "./server";
import { expect, logOut, type Page, disableLiveUpdates, signUp, test } from "./test";

// Tests end sessions, and start others in the same browser.
test.use({ serverFor: "tabs" });
// They run last, when other workers have nothing left to do.
test.describe.configure({ mode: "parallel" });

const secret = "Not meant for others";
const landing = (page: Page) => page.getByRole("heading", { name: "The human network" });
const home = (page: Page) => page.getByRole("heading", { name: "Home", exact: true });
const composer = (page: Page) => page.getByLabel("Your post");
const post = (page: Page) => page.getByRole("button", { name: "Post", exact: true });

/** Opens another tab of the founder with a draft. */
async function tabWithDraft(context: BrowserContext, path = "/"): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/");
  await composer(page).fill(secret);
  if (path !== "/") await page.goto(path);
  return page;
}

async function logIn(page: Page, kith: Kith, username: string): Promise<void> {
  await page.goto(await kith.signInLink(username));
  await expect(home(page)).toBeVisible();
}

/** The username of the viewer on the page. */
async function expectMember(page: Page, username: string): Promise<void> {
  await expect(home(page)).toBeVisible();
  await expect(page).toHaveURL("/");
  const own = page.getByRole("link", { name: "Profile", exact: true }).locator("visible=true");
  await expect(own).toHaveAttribute("href", `/profile/${username}`);
  await expect(composer(page)).toHaveValue("");
  await expect(page.getByText(secret)).toHaveCount(0);
}

const stored = (page: Page) => page.evaluate(() => JSON.stringify(localStorage));

/** Blocks messages and events of other tabs in tabs that open from now on, as if they were suspended. */
async function blockTabEvents(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    BroadcastChannel.prototype.addEventListener = () => {};
  });
  await disableLiveUpdates(context);
}

let friend: string | undefined;

test.beforeEach(async ({ browser, kith, page }) => {
  if (friend === undefined) {
    const other = await browser.newPage({ baseURL: kith.url });
    await signUp(other, kith, "friend@example.com", kith.inviteCode);
    const me = await other.request.get("/api/auth/me");
    friend = ((await me.json()) as { username: string }).username;
    await other.context().close();
  }
  await logIn(page, kith, "founder");
});

// proves: logout-tabs
test("a logout in one tab logs the others out", async ({ context, page, kith }) => {
  const other = await tabWithDraft(context);
  await expect.poll(() => stored(page)).toContain(secret);
  await logOut(page);
  await expect(landing(other)).toBeVisible();
  await expect(other).toHaveURL("/");
  expect(await stored(other)).not.toContain(secret);
  // The landing page stays, and does not affect a login in another tab.
  await logIn(page, kith, "founder");
  await expect(landing(other)).toBeVisible();
  await page.reload();
  await expectMember(page, "founder");
});

// proves: logout-tabs
test("a tab that is loading shows nothing of a member who has logged out", async ({
  context,
  page,
}) => {
  const other = await context.newPage();
  const loggedOut = landing(page).waitFor();
  await other.route("**/assets/*.js", async (route) => {
    await loggedOut;
    await route.continue();
  });
  // The preloaded requests get responses while the member is still logged in.
  const early = other.waitForResponse("**/api/auth/me");
  await other.goto("/", { waitUntil: "commit" });
  expect((await early).status()).toBe(200);
  await logOut(page);
  await expect(landing(other)).toBeVisible();
});

// proves: logout-tabs
test("another member's login applies to every tab", async ({ context, page, kith }) => {
  const other = await tabWithDraft(context);
  const away = await tabWithDraft(context, "/invites");
  await logIn(page, kith, friend ?? "");
  await expectMember(other, friend ?? "");
  await expectMember(away, friend ?? "");
  // The tabs deleted nothing of the new member.
  await composer(page).fill("A draft of the friend's");
  await page.reload();
  await expect(composer(page)).toHaveValue("A draft of the friend's");
  await composer(page).fill("");
});

// proves: logout-tabs
test("a tab that was suspended during a logout stores no draft", async ({ context, page }) => {
  await blockTabEvents(context);
  const other = await tabWithDraft(context);
  await logOut(page);
  await composer(other).fill(`${secret}, still`);
  expect(await stored(other)).not.toContain(secret);
  await other.reload();
  await expect(landing(other)).toBeVisible();
});

// proves: logout-tabs
test("a suspended tab learns of a logout from the server", async ({ context, page, kith }) => {
  await blockTabEvents(context);
  const other = await tabWithDraft(context, "/invites");
  await logIn(page, kith, friend ?? "");
  // The storage has no trace of the logout.
  await other.evaluate(() => localStorage.removeItem("kith:member"));
  await other.getByRole("button", { name: "Generate Invite Code", exact: true }).click();
  await expectMember(other, friend ?? "");
});

// proves: composer-tabs
test("all tabs share a draft, which is posted once", async ({ context, page }) => {
  const other = await context.newPage();
  await other.goto("/");
  await composer(page).fill("Begun here");
  await expect(composer(other)).toHaveValue("Begun here");
  await composer(other).fill("Begun here, ended there");
  await expect(composer(page)).toHaveValue("Begun here, ended there");
  // The post is created, but the response is lost.
  await page.route("**/api/posts", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await post(page).click();
  // Exact, because the text is also announced to screen readers for a moment.
  const failed = page.getByText("Failed to create post. Please try again.", { exact: true });
  await expect(failed).toBeVisible();
  await post(other).click();
  await expect(composer(other)).toHaveValue("");
  await expect(composer(page)).toHaveValue("");
  const rows = await other.request.get("/api/posts/feed?feedType=friends");
  expect((await rows.text()).split("Begun here, ended there")).toHaveLength(2);
});
