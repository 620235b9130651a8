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
  /** Who needs a server of their own says so with a name of their own. */
  serverFor: string;
  /** How that server is started, beyond what all are started with. */
  flags: string[];
}

/** Tests that share a server unless their file asks for its own, and that fail on any breach of the page's policy. */
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
    const complaints = listen(context);
    await provide(context);
    expect(complaints, "page errors and content security policy").toEqual([]);
  },
  founder: async ({ browser, kith }, provide) => {
    const context = await browser.newContext({ baseURL: kith.url });
    const complaints = listen(context);
    const page = await context.newPage();
    await logInAsFounder(page, kith);
    await provide(page);
    expect(complaints, "page errors and content security policy").toEqual([]);
    await context.close();
  },
});

let founderCookies: Awaited<ReturnType<BrowserContext["cookies"]>> | undefined;

async function logInAsFounder(page: Page, kith: Kith): Promise<void> {
  // The founder's link works once; later tests go on with the session it opened.
  if (founderCookies) {
    await page.context().addCookies(founderCookies);
    await page.goto("/");
  } else {
    await page.goto(kith.founderLink);
  }
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  founderCookies = await page.context().cookies();
}

function listen(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on("weberror", ({ error }) => complaints.push(String(error())));
  context.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

/** Signs a friend up by mailed link and waits for Home. */
export async function signUp(page: Page, kith: Kith, email: string, code: string): Promise<void> {
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

/** Waits until a page whose session was ended elsewhere has noticed; it may ask to log in above the landing page. */
export async function expectLanding(page: Page): Promise<void> {
  const heading = page.getByRole("heading", { name: "The human network", includeHidden: true });
  await expect(heading).toBeVisible();
}

/** Has no live updates, from which a page learns of the end of its session at once. */
export async function refuseEvents(context: BrowserContext): Promise<void> {
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
 * Waits until so many overlays are open above the page, and the history is at the last one's entry: going
 * back before that would only end the navigation of the overlay that closes.
 */
export async function expectOverlays(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.evaluate(countOverlays)).toBe(count);
}

/** Waits for the toast region, which is rendered last: from then on the page also listens to keys. */
export async function expectAtRest(page: Page): Promise<void> {
  await expect(page.getByRole("region", { name: /^Notifications \(/ })).toBeAttached();
}

/** Waits until nothing is open above the page, and the history is at the page's own entry. */
export async function expectNothingOpen(page: Page): Promise<void> {
  await expectOverlays(page, 0);
}

/** In the page: for how many overlays the history entry is. */
function countOverlays(): number {
  return (history.state as { overlays?: number } | null)?.overlays ?? 0;
}

/** What of axe's rules a theme can break: all others are about what stands on the page. */
const COLORS = ["color-contrast", "link-in-text-block"];

/** Fails on anything axe finds at the width of a phone, a tablet and a desk, and on its colors in both themes. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // A screen's code arrives after its address: an empty page has neither heading nor fault of its own.
  await expect(page.locator("h1:not([inert] *)").first()).toBeVisible();
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(restOfMotion);
      // No page has frames, for which axe would open another page each time.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      if (colorScheme === "dark") axe.withRules(COLORS);
      const { violations } = await axe.analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`,
      );
      expect(found, `${name}, ${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}

/** In the page: what moves or changes its colour comes to its end, but for what never ends. */
async function restOfMotion(): Promise<void> {
  await new Promise(requestAnimationFrame);
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
