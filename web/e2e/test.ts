import { AxeBuilder } from "@axe-core/playwright";
import { test as base, type BrowserContext, expect, type Page } from "@playwright/test";
import { type Kith, startKith } from "./server";

export { expect, type Page } from "@playwright/test";

interface Fixtures {
  /** The founder's page, logged in. */
  founder: Page;
}

interface Servers {
  kith: Kith;
  /** A test file that needs its own server sets a name of its own. */
  serverFor: string;
  /** Flags of that server, beside those of all servers. */
  flags: string[];
}

/** Tests share a server unless their file sets `serverFor`, and fail on errors and CSP violations of any page. */
export const test = base.extend<Fixtures, Servers>({
  serverFor: ["", { scope: "worker", option: true }],
  flags: [[], { scope: "worker", option: true }],
  kith: [
    async ({ flags }, provide) => {
      const kith = await startKith(...flags);
      await provide(kith);
      await kith.stop();
    },
    { scope: "worker" },
  ],
  baseURL: ({ kith }, provide) => provide(kith.url),
  context: async ({ context }, provide) => {
    const errors = collectErrors(context);
    await provide(context);
    expect(errors, "page errors and content security policy").toEqual([]);
  },
  founder: async ({ browser, kith }, provide) => {
    const context = await browser.newContext({ baseURL: kith.url });
    const errors = collectErrors(context);
    const page = await context.newPage();
    await logInAsFounder(page, kith);
    await provide(page);
    expect(errors, "page errors and content security policy").toEqual([]);
    await context.close();
  },
});

let founderCookies: Awaited<ReturnType<BrowserContext["cookies"]>> | undefined;

async function logInAsFounder(page: Page, kith: Kith): Promise<void> {
  // The founder's link works once, so later tests reuse its session.
  if (founderCookies) {
    await page.context().addCookies(founderCookies);
    await page.goto("/");
  } else {
    await page.goto(kith.founderLink);
  }
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  founderCookies = await page.context().cookies();
}

function collectErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on("weberror", ({ error }) => errors.push(String(error())));
  context.on("console", (message) => {
    if (/content security policy/i.test(message.text())) errors.push(message.text());
  });
  return errors;
}

/** Signs a friend up by the API, which takes less time than the screens, and waits for Home. */
export async function signUp(page: Page, kith: Kith, email: string, code: string): Promise<void> {
  const data = { email, inviteCode: code };
  const requested = await page.request.post("/api/auth/request-magic-link", { data });
  expect(requested.ok()).toBe(true);
  const { search } = new URL(await kith.mailedLink(email));
  expect((await page.request.get(`/api/auth/verify${search}`)).ok()).toBe(true);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
}

/** Signs a friend up by the login dialog and the link in the email, and waits for Home. */
export async function signUpOnScreen(
  page: Page,
  kith: Kith,
  email: string,
  code: string,
): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByLabel("Invite code").fill(code);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Send magic link" }).click();
  await expect(page.getByText("Check your email", { exact: true })).toBeVisible();
  await page.goto(await kith.mailedLink(email));
  await expect(page.getByRole("heading", { name: "Success!" })).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
}

/** Logs a member out by the account menu, and waits for the landing page. */
export async function logOut(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: /^Account menu/u })
    .locator("visible=true")
    .click();
  await page.getByRole("menuitem", { name: "Logout", exact: true }).click();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
}

/** Waits for the landing page after the session was ended elsewhere; the login dialog may be open above it. */
export async function expectLanding(page: Page): Promise<void> {
  const heading = page.getByRole("heading", { name: "The human network", includeHidden: true });
  await expect(heading).toBeVisible();
}

/** Disables live updates, which would notify pages of the end of their session immediately. */
export async function disableLiveUpdates(context: BrowserContext): Promise<void> {
  await context.route("**/api/events*", (route) => route.fulfill({ status: 204 }));
}

/** Writes a post on Home. */
export async function post(page: Page, text: string): Promise<void> {
  await page.getByLabel("Your post").fill(text);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Post created", { exact: true })).toBeVisible();
  await expect(page.getByRole("article").filter({ hasText: text })).toBeVisible();
}

/**
 * Waits until `count` overlays are open and the history is at the last one's entry: going
 * back before that would only end the navigation of the overlay that closes.
 */
export async function expectOverlays(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.evaluate(countOverlays)).toBe(count);
}

/** Waits for the toast region, which is rendered last: from then on keyboard shortcuts work. */
export async function expectShortcutsReady(page: Page): Promise<void> {
  await expect(page.getByRole("region", { name: /^Notifications \(/ })).toBeAttached();
}

/** Waits until no overlay is open and the history is at the page's own entry. */
export async function expectNoOverlays(page: Page): Promise<void> {
  await expectOverlays(page, 0);
}

/** Runs in the page: the number of overlays in the history entry. */
function countOverlays(): number {
  return (history.state as { overlays?: number } | null)?.overlays ?? 0;
}

/** The rules of axe that depend on the theme. */
const COLORS = ["color-contrast", "link-in-text-block"];

/** Whether tests run at the width of a tablet, which the test suite skips, because the other widths show its parts. */
export const isTabletIncluded = Boolean(process.env["KITH_E2E_ALL_WIDTHS"]);

/** The widths of a phone, a tablet and a desktop. */
export const WIDTHS = isTabletIncluded ? [390, 820, 1440] : [390, 1440];

/** Expects no violation of axe's rules at each width, nor of its colour rules in the dark theme. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // The URL changes before the screen's code is loaded, and an empty page has no violations.
  await expect(page.locator("h1:not([inert] *)").first()).toBeVisible();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(waitForAnimations);
      // No page has frames, for which axe would open another page each time.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      // Lists of what passed take long on a long page.
      axe.options({ resultTypes: ["violations"] });
      if (colorScheme === "dark") axe.withRules(COLORS);
      const { violations } = await axe.analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`,
      );
      expect(found, `${name}, ${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}

/** Runs in the page: waits for all animations and transitions, except endless ones. */
async function waitForAnimations(): Promise<void> {
  await new Promise(requestAnimationFrame);
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
