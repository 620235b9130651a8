import { mockResponse, logInAsAda, bob, makePost } from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

const long = Array.from({ length: 20 }, (_, index) =>
  makePost(String(100 + index), {
    content: `Post ${index}. A second sentence that makes the card wrap onto more lines than one.`,
    likeCount: index,
    ...(index % 4 === 1 && {
      pollOptions: ["Bread", "Rolls"],
      pollTallies: { Bread: 3, Rolls: 1 },
    }),
  }),
);

async function openHome(page: Page, width: number, height = 640) {
  await page.setViewportSize({ width, height });
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", long);
  await page.goto("/");
  await expect(page.getByRole("article")).toHaveCount(long.length);
}

const composeButton = (page: Page) => page.getByRole("button", { name: "New Post", exact: true });

/** Runs in the page: the controls above the bottom bar that a floating button overlaps. */
function covered(): string[] {
  const button = document.querySelector("[aria-label='New Post']")?.getBoundingClientRect();
  const bar = document.querySelector("nav[aria-label='Main']")?.getBoundingClientRect();
  if (!button || !bar) return ["There is no button."];
  const controls = document.querySelectorAll("main :is(a, button, input, textarea)");
  return [...controls].flatMap((control) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const seenTo = Math.min(bottom, bar.top);
    const isBelow = left < button.right && right > button.left && top < button.bottom;
    return isBelow && seenTo > Math.max(top, button.top) ? [control.outerHTML.slice(0, 120)] : [];
  });
}

for (const width of [320, 390]) {
  // proves: shell-compose-button, shell-bottombar-away
  test(`at ${width} px the floating button overlaps no control and hides on scrolling down`, async ({
    page,
  }) => {
    await openHome(page, width);
    const button = composeButton(page);
    const bar = page.getByRole("navigation", { name: "Main" });
    await expect(button).toBeInViewport({ ratio: 1 });
    await page.mouse.move(150, 300);
    for (let step = 0; step < 12; step += 1) {
      expect(await page.evaluate(covered)).toEqual([]);
      await page.mouse.wheel(0, 190);
      await expect(button).not.toBeInViewport();
      await expect(bar).not.toBeInViewport();
      await page.mouse.wheel(0, -70);
      await expect(button).toBeInViewport({ ratio: 1 });
    }
    // At the end of the page the bottom bar is visible, and overlaps nothing.
    await page.mouse.wheel(0, 90);
    await expect(button).not.toBeInViewport();
    await page.mouse.wheel(0, 50_000);
    await expect(button).toBeInViewport({ ratio: 1 });
    const last = page.getByRole("article").last();
    const end = async () => {
      const [card, top] = [await last.boundingBox(), (await bar.boundingBox())?.y ?? 0];
      return card ? card.y + card.height <= top : false;
    };
    await expect.poll(end).toBe(true);
  });
}

// proves: shell-bottombar-away
test("the bottom bar reappears on keyboard focus and on another page", async ({ page }) => {
  await openHome(page, 390);
  const bar = page.getByRole("navigation", { name: "Main" });
  await page.mouse.move(150, 300);
  await page.mouse.wheel(0, 600);
  await expect(bar).not.toBeInViewport();
  await bar.getByRole("link", { name: "Discover" }).focus();
  await expect(bar).toBeInViewport({ ratio: 1 });
  await page.getByRole("article").nth(5).focus();
  await expect(bar).not.toBeInViewport();
  await mockResponse(page, "posts/*/thread", { ancestors: [], post: long[5], replies: [] });
  await page.getByText("Post 5.").click({ position: { x: 2, y: 2 } });
  await expect(page.getByRole("heading", { name: "Thread" })).toBeVisible();
  await expect(bar).toBeInViewport({ ratio: 1 });
  // Restoring a scroll position does not hide the bar.
  await page.goBack();
  await expect(page.getByRole("article")).toHaveCount(long.length);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(400);
  await expect(bar).toBeInViewport({ ratio: 1 });
});

// proves: shell-compose-reply
test("on a thread the floating button replies to its post", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await logInAsAda(page);
  const post = makePost("7", { content: "What do you read?" });
  const reply = makePost("8", { replyToId: "7", replyTo: { id: "7", author: bob } });
  await mockResponse(page, "posts/7/thread", { ancestors: [], post, replies: [reply] });
  await page.goto("/post/7");
  await page.getByRole("button", { name: "Reply to Bob", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Create Post" });
  await expect(dialog).toContainText("Replying to @bob");
  await expect(dialog).toContainText("What do you read?");
  await page.keyboard.press("Escape");
  await expect(composeButton(page)).toHaveCount(0);
  await page.getByRole("link", { name: "Discover" }).click();
  await expect(composeButton(page)).toBeVisible();
  // A deleted post has no reply button.
  await mockResponse(
    page,
    "posts/9/thread",
    { message: "Post not found.", code: "post_not_found" },
    404,
  );
  await page.goto("/post/9");
  await expect(page.getByText("Post not found")).toBeVisible();
  await expect(composeButton(page)).toBeVisible();
});

// proves: home-composer-line
test("on a phone the empty composer is one line until it is focused", async ({ page }) => {
  await openHome(page, 390, 844);
  const area = page.getByLabel("Your post");
  const heightOf = async () => (await area.boundingBox())?.height ?? 0;
  expect(await heightOf()).toBeLessThanOrEqual(48);
  await expect(page.getByRole("button", { name: "Add images" })).toBeHidden();
  const first = await page.getByRole("article").first().boundingBox();
  expect(first?.y).toBeLessThan(844 * 0.3);
  await expectAccessible(page, "the composer of one line");
  await page.setViewportSize({ width: 390, height: 844 });
  await area.click();
  await expect(page.getByRole("button", { name: "Add images" })).toBeVisible();
  expect(await heightOf()).toBeGreaterThan(60);
  // Pressing another control causes no layout shift.
  await page.getByRole("heading", { name: "Home" }).click();
  await expect(area).not.toBeFocused();
  expect(await heightOf()).toBeGreaterThan(60);
  await area.fill("A draft that is\nworth\nkeeping\nin sight");
  await page.reload();
  await expect(area).toHaveValue(/worth/);
  expect(await heightOf()).toBeGreaterThan(100);
  await expect(page.getByRole("button", { name: "Post", exact: true })).toBeEnabled();
  await page.setViewportSize({ width: 1_280, height: 800 });
  await area.fill("");
  await page.reload();
  await expect(page.getByRole("button", { name: "Add images" })).toBeVisible();
});

for (const [width, top] of [
  [390, 56],
  [820, 0],
  [1_440, 0],
] as const) {
  // proves: home-tabs-stay
  test(`at ${width} px the tabs are sticky, and another tab starts at its top`, async ({
    page,
  }) => {
    await openHome(page, width, 800);
    await mockResponse(page, "posts/for-you?*", long);
    const tabs = page.getByRole("tablist", { name: "Feeds" });
    await page.mouse.move(350, 500);
    await page.mouse.wheel(0, 1_200);
    await expect.poll(async () => (await tabs.boundingBox())?.y).toBe(top);
    await page.getByRole("tab", { name: "For You" }).click();
    await expect(page.getByRole("article")).toHaveCount(long.length);
    const bar = await tabs.boundingBox();
    expect(bar?.y).toBe(top);
    const first = await page.getByRole("article").first().boundingBox();
    expect(first?.y).toBeCloseTo((bar?.y ?? 0) + (bar?.height ?? 0), 0);
  });
}
