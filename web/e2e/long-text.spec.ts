import { mockResponse, logInAsAda, makePost } from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

const lines = Array.from({ length: 248 }, (_, index) => `${index % 10}`).join("\n");
const long = makePost("7", { content: lines });

async function openFeed(page: Page, ...posts: object[]) {
  await page.setViewportSize({ width: 390, height: 844 });
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", posts);
  await mockResponse(page, "posts/*/thread", { ancestors: [], post: posts[0], replies: [] });
  await page.goto("/");
  return page.getByRole("article").first();
}

const heightOf = (card: ReturnType<Page["locator"]>) =>
  card.evaluate((it) => it.getBoundingClientRect().height);

// proves: card-clamp, card-clamp-open
test("a long text is truncated after 12 lines, and expanded by a button", async ({ page }) => {
  const card = await openFeed(page, long, makePost("8"));
  const more = card.getByRole("button", { name: "Show more", exact: true });
  await expect(more).toBeVisible();
  expect(await heightOf(card)).toBeLessThan(450);
  await expectAccessible(page, "a long text");
  await page.setViewportSize({ width: 390, height: 844 });
  await more.click();
  await expect(more).toHaveCount(0);
  await expect(page).toHaveURL("/");
  expect(await heightOf(card)).toBeGreaterThan(5_000);
  // It stays expanded after Back, so that the scroll position is restored.
  await card.getByRole("link", { name: /2h/ }).click();
  await expect(page).toHaveURL("/post/7");
  await expect(page.getByRole("heading", { name: "Thread" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("article")).toHaveCount(2);
  expect(await heightOf(card)).toBeGreaterThan(5_000);
});

// proves: card-clamp-open
test("the keyboard expands a long text, and the focus moves to its post", async ({ page }) => {
  const card = await openFeed(page, long);
  await card.getByRole("button", { name: "Show more" }).focus();
  await page.keyboard.press("Enter");
  await expect(card).toBeFocused();
  await expect(page).toHaveURL("/");
  expect(await heightOf(card)).toBeGreaterThan(5_000);
});

// proves: card-clamp-open
test("a link in the hidden lines expands them when it is focused", async ({ page }) => {
  const content = `https://first.example\n${lines}\nhttps://last.example`;
  const links = ["first.example", "last.example"].map((label) => {
    const url = `https://${label}`;
    const start = content.indexOf(url);
    return { url, label, start, end: start + url.length };
  });
  const card = await openFeed(page, makePost("7", { content, links }));
  await card.getByRole("link", { name: "first.example" }).focus();
  await expect(card.getByRole("button", { name: "Show more" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(card.getByRole("link", { name: "last.example" })).toBeFocused();
  await expect(card.getByRole("link", { name: "last.example" })).toBeInViewport();
  await expect(card.getByRole("button", { name: "Show more" })).toHaveCount(0);
});

// proves: card-clamp
test("a slightly longer text is not truncated, nor is the post of a thread", async ({ page }) => {
  const card = await openFeed(page, makePost("7", { content: "1\n".repeat(13) + "14" }));
  await expect(card).toContainText("14");
  await expect(card.getByRole("button", { name: "Show more" })).toHaveCount(0);
  await mockResponse(page, "posts/7/thread", {
    ancestors: [],
    post: long,
    replies: [makePost("9", { content: lines, replyToId: "7" })],
  });
  await page.goto("/post/7");
  const [main, reply] = [page.getByRole("article").first(), page.getByRole("article").nth(1)];
  await expect(reply.getByRole("button", { name: "Show more" })).toBeVisible();
  await expect(main.getByRole("button", { name: "Show more" })).toHaveCount(0);
  expect(await heightOf(main)).toBeGreaterThan(5_000);
});

// proves: card-clamp
test("truncating a text causes no layout shift", async ({ page }) => {
  await page.addInitScript(() => {
    const heights = new Set<number>();
    const measure = () => {
      const card = document.querySelector("article");
      if (card) heights.add(Math.round(card.getBoundingClientRect().height));
      requestAnimationFrame(measure);
    };
    requestAnimationFrame(measure);
    Object.assign(window, { heights });
  });
  const card = await openFeed(page, long);
  await expect(card.getByRole("button", { name: "Show more" })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const heights = await page.evaluate(() => [...(Reflect.get(window, "heights") as Set<number>)]);
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(24);
  // A change of the width measures again.
  await page.setViewportSize({ width: 1_440, height: 900 });
  await expect(card.getByRole("button", { name: "Show more" })).toBeVisible();
});
