import { expect, test as base } from "@playwright/test";
import { type Browser, launch, type Page } from "puppeteer-core";
import { type Kith, startKith } from "../server";

interface Fixtures {
  kith: Kith;
  firefox: Browser;
}

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from a pattern
  kith: async ({}, provide) => {
    const kith = await startKith();
    await provide(kith);
    await kith.stop();
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from a pattern
  firefox: async ({}, provide) => {
    const executablePath = process.env["KITH_FIREFOX"] ?? "/usr/bin/firefox-esr";
    const firefox = await launch({ browser: "firefox", executablePath });
    await provide(firefox);
    await firefox.close();
  },
});

/** Opens a page in a new browser context, and collects its errors in `errors`. */
async function openPage(firefox: Browser, errors: string[]): Promise<Page> {
  const context = await firefox.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1200, height: 900 });
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (/content.security.policy/i.test(message.text())) errors.push(message.text());
  });
  return page;
}

// By XPath, not by role: Firefox finds no roles inside a dialog that hides the page behind it.
const find = (page: Page, tag: "a" | "button" | "h1", name: string) =>
  page.locator(`::-p-xpath(//${tag}[@aria-label="${name}" or normalize-space(.)="${name}"])`);

const click = (page: Page, tag: "a" | "button", name: string) => find(page, tag, name).click();

const fill = (page: Page, label: string, text: string) =>
  page
    .locator(`::-p-xpath(//*[@aria-label="${label}"] | //*[@id=//label[.="${label}"]/@for])`)
    .fill(text);

const see = (page: Page, text: string) => page.locator(`::-p-text(${text})`).wait();

/** Publishes a post on Home. */
async function post(page: Page, text: string): Promise<void> {
  await fill(page, "Your post", text);
  await click(page, "button", "Post");
  await see(page, "Post created");
  await page.locator(`article ::-p-text(${text})`).wait();
}

// proves: route-profile, home-composer, follow-toggles, verify-success
test("a stranger with an invite code joins, posts, and reads a friend", async ({
  kith,
  firefox,
}) => {
  const errors: string[] = [];
  const founder = await openPage(firefox, errors);
  await founder.goto(kith.founderLink);
  await find(founder, "h1", "Home").wait();
  await post(founder, "The lights are on. Come in.");
  const username = await founder.evaluate(async () => {
    const response = await fetch("/api/auth/me");
    return ((await response.json()) as { username: string }).username;
  });

  // A page in the background draws no frames, for which clicks wait.
  await founder.browserContext().close();

  const page = await openPage(firefox, errors);
  await page.goto(kith.url);
  await click(page, "button", "Login");
  await fill(page, "Invite code", kith.inviteCode);
  await fill(page, "Email", "stranger@example.com");
  await click(page, "button", "Send magic link");
  await see(page, "Check your email");
  await page.goto(await kith.mailedLink("stranger@example.com"));
  await find(page, "h1", "Home").wait();
  await post(page, "Hello, my friend says there are people here.");

  await page.goto(`${kith.url}/profile/${username}`);
  await click(page, "button", `Following @${username}`);
  await click(page, "button", `Follow @${username}`);
  await find(page, "button", `Following @${username}`).wait();
  await see(page, "The lights are on. Come in.");

  await click(page, "a", "Home");
  await find(page, "h1", "Home").wait();
  await see(page, "The lights are on. Come in.");
  await page.reload();
  await see(page, "The lights are on. Come in.");
  expect(errors, "page errors and content security policy").toEqual([]);
});
