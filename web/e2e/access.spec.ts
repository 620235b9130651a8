import { AxeBuilder } from "@axe-core/playwright";
import type { Locator } from "@playwright/test";
import { ada, mockResponse, logInAsAda, bob, makePost } from "./mock-api";
import { makeModerationNotice } from "./mock-moderation";
import { expect, isTabletIncluded, test, WIDTHS } from "./test";

const voted = makePost("7", {
  content: "Bread or rolls?",
  pollOptions: ["Bread", "Rolls"],
  pollTallies: { Bread: 3, Rolls: 1 },
  pollMyVote: "Rolls",
  pollExpiresAt: "2100-01-01T00:00:00.000Z",
});

/** Whether hiding an element changes a screenshot. */
async function isSeen(element: Locator, around: Locator): Promise<boolean> {
  const shown = await around.screenshot({ animations: "disabled" });
  await element.evaluate((it: HTMLElement) => (it.style.opacity = "0"));
  const hidden = await around.screenshot({ animations: "disabled" });
  return !shown.equals(hidden);
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of WIDTHS) {
    // proves: access-forced-colors
    test(`forced colours leave controls visible at ${width} px, ${colorScheme}`, async ({
      page,
    }) => {
      await page.emulateMedia({ forcedColors: "active", colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      await logInAsAda(page);
      await mockResponse(page, "posts/feed?*", [voted]);
      await page.goto("/");
      await expect(page.getByText("Bread or rolls?")).toBeVisible();
      const write = page.getByRole("button", { name: "New Post" });
      const edge = await write.evaluate((it) => {
        const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(it);
        return { borderTopWidth, isVisible: borderTopColor !== backgroundColor };
      });
      expect(edge).toEqual({ borderTopWidth: "1px", isVisible: true });
      const poll = page.getByRole("group", { name: "Poll" });
      for (const option of await poll.getByRole("button").all()) {
        expect(await isSeen(option.locator("[aria-hidden]").first(), option)).toBe(true);
      }
      const tab = page.getByRole("tab", { name: "Friends" });
      expect(await isSeen(tab.locator("span"), tab)).toBe(true);
      const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
      await expect(current).toHaveCSS("border-top-width", "2px");
    });
  }
}

/** Runs in the page: the controls whose hit area is smaller than 44 pixels. */
function small(): string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    "a, button, input:not([type=file]), textarea, [role='menuitem'], [role='menuitemradio']",
  );
  return [...controls].flatMap((control) => {
    // Inline links are as high as their line, and skip links have no size until they are focused.
    if (!control.checkVisibility() || getComputedStyle(control).display === "inline") return [];
    // The label of a checkbox belongs to its hit area.
    const target = control.matches("[type=checkbox]") ? control.closest("label") : control;
    const box = (target ?? control).getBoundingClientRect();
    if (box.width <= 1 || box.bottom < 0) return [];
    const { position, width, height } = getComputedStyle(control, "::after");
    const isWider = position === "absolute";
    const size = [
      Math.max(box.width, isWider ? Number.parseFloat(width) : 0),
      Math.max(box.height, isWider ? Number.parseFloat(height) : 0),
    ];
    // The profile image links to the same page as the name, and the whole card to the post.
    const card = control.closest("article");
    const href = control.getAttribute("href");
    const same = [...(card?.querySelectorAll(`a[aria-hidden]`) ?? [])];
    const hasEqual =
      control.dataset["action"] === "open" ||
      same.some((link) => link.getAttribute("href") === href);
    if (hasEqual && !control.matches("[aria-hidden]")) return [];
    return Math.min(...size) < 43.9
      ? [`${size.join(" x ")}: ${control.outerHTML.slice(0, 160)}`]
      : [];
  });
}

const images = [0, 1].map(() => ({
  url: "/favicon.svg",
  width: 400,
  height: 300,
  alt: "A hill",
  thumbhash: "",
  srcset: "/favicon.svg 400w",
}));
const reply = (id: string, replyToId: string) =>
  makePost(id, { replyToId, replyTo: { id: replyToId, author: bob } });

for (const width of isTabletIncluded ? [320, 820] : [320]) {
  // proves: access-touch
  test(`every control is large enough for a finger at ${width} px`, async ({ browser, kith }) => {
    test.slow();
    const context = await browser.newContext({
      baseURL: kith.url,
      viewport: { width, height: 900 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const check = async (name: string) => expect(await page.evaluate(small), name).toEqual([]);
    await page.goto("/");
    await page.getByRole("button", { name: "Login" }).tap();
    await expect(page.getByRole("dialog")).toBeVisible();
    await check("the login dialog");
    await logInAsAda(page, { unreadNotificationCount: 3, role: "admin" });
    const posts = [voted, makePost("8", { images, imageUrls: images.map(({ url }) => url) })];
    await mockResponse(page, "posts/feed?*", posts);
    await mockResponse(page, "users/*/posts?*", posts);
    await mockResponse(page, "users/suggested?*", [
      { ...bob, reason: { code: "follows_you", message: "Follows you", name: null, others: null } },
    ]);
    await mockResponse(page, "posts/7/thread", {
      ancestors: [],
      post: voted,
      replies: [reply("9", "7"), reply("10", "9")],
    });
    await mockResponse(page, "users/bob", { ...ada, ...bob });
    await mockResponse(page, "moderation-notices", [makeModerationNotice("1")]);
    const paths = ["/", "/discover", "/notifications", "/invites", "/settings", "/profile/ada"];
    for (const path of [...paths, "/settings/notices", "/profile/bob", "/post/7", "/terms"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
      await page.waitForLoadState("networkidle");
      await check(path);
    }
    await page.goto("/");
    await page.getByLabel("Your post").tap();
    await page.getByRole("button", { name: "Add poll" }).tap();
    await expect(page.getByPlaceholder("Option 1")).toBeVisible();
    await check("the composer");
    await page.getByRole("article").first().getByRole("button", { name: "More" }).tap();
    await expect(page.getByRole("menu")).toBeVisible();
    await check("a menu");
    await context.close();
  });
}

// proves: access-account-menu
test("the accessible name of the account menu contains its visible text", async ({ page }) => {
  await logInAsAda(page);
  for (const width of [820, 1_440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const button = page.getByRole("button", {
      name: "Account menu of Ada Lovelace @ada",
      exact: true,
    });
    await button.click();
    await expect(page.getByRole("menu")).toHaveAccessibleName("Account menu of Ada Lovelace @ada");
    const axe = new AxeBuilder({ page }).setLegacyMode();
    axe.withRules(["label-content-name-mismatch", "button-name", "aria-input-field-name"]);
    expect((await axe.analyze()).violations).toEqual([]);
    await page.keyboard.press("Escape");
  }
});
