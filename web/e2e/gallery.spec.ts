import type { Locator } from "@playwright/test";
import type { PostImage } from "../src/api/types";
import { mockResponse, logInAsAda, expectError, makePost } from "./mock-api";
import { makeImage } from "./mock-uploads";
import { expect, expectAccessible, expectNoOverlays, type Page, test } from "./test";

test.use({ serverFor: "gallery" });

const alts = ["A lake at dawn", "", "Two boats", "שלום"];

/** Images of a post, which differ in their declared size only. */
function imagesOf(count: number, width = 512, height = 512): PostImage[] {
  return alts.slice(0, count).map((alt) => makeImage({ alt, width, height }));
}

async function openFeed(page: Page, ...posts: object[]) {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", posts);
  await page.goto("/");
  await expect(page.getByRole("article")).toHaveCount(posts.length);
}

/** Measures a card's images in their group: left, top, width and height as fractions. */
async function measureImages(group: Locator): Promise<number[][]> {
  return group.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [...element.querySelectorAll("img")].map((image) => {
      const box = image.getBoundingClientRect();
      const parts = [
        (box.left - left) / width,
        (box.top - top) / height,
        box.width / width,
        box.height / height,
      ];
      // Gaps between images are less than a hundredth.
      return parts.map((part) => Math.round(part * 50) / 50);
    });
  });
}

// proves: card-images
test("up to four images are laid out by their number", async ({ page }) => {
  const five = [...imagesOf(4), makeImage()];
  const posts = [1, 2, 3].map((count) => makePost(`${count}`, { images: imagesOf(count) }));
  await openFeed(page, ...posts, makePost("4", { images: five }));
  const groups = page.getByRole("article").getByRole("group");
  const expected = [
    [[0, 0, 1, 1]],
    [
      [0, 0, 0.5, 1],
      [0.5, 0, 0.5, 1],
    ],
    [
      [0, 0, 0.5, 1],
      [0.5, 0, 0.5, 0.5],
      [0.5, 0.5, 0.5, 0.5],
    ],
    [
      [0, 0, 0.5, 0.5],
      [0.5, 0, 0.5, 0.5],
      [0, 0.5, 0.5, 0.5],
      [0.5, 0.5, 0.5, 0.5],
    ],
  ];
  for (const [index, boxes] of expected.entries()) {
    expect(await measureImages(groups.nth(index))).toEqual(boxes);
    await expect(groups.nth(index)).toHaveCSS("border-radius", "14px");
  }
  const first = groups.first().getByRole("img", { name: "A lake at dawn" });
  for (const [name, value] of [
    ["width", "512"],
    ["height", "512"],
    ["loading", "lazy"],
    ["decoding", "async"],
    ["srcset", "/icon-192.png 192w, /icon-512.png 512w"],
    ["sizes", /^\(min-width: 640px\) \d+px, calc\(/],
  ] as const) {
    await expect(first).toHaveAttribute(name, value);
  }
});

test("a single image has its own aspect ratio, at most 4:5", async ({ page }) => {
  const shapes = [
    [1_200, 600, 2],
    [900, 900, 1],
    [600, 1_800, 0.8],
  ] as const;
  await openFeed(
    page,
    ...shapes.map(([width, height], at) =>
      makePost(`${at + 1}`, { images: imagesOf(1, width, height) }),
    ),
  );
  const groups = page.getByRole("article").getByRole("group", { name: "Image", exact: true });
  for (const [index, [, , shape]] of shapes.entries()) {
    const box = await groups.nth(index).boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(shape, 1);
  }
});

test("images that load late have a blurred placeholder and cause no layout shift", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(globalThis, { shifts });
    type Shift = PerformanceEntry & { sources: { node: Node | null }[] };
    new PerformanceObserver((list) => {
      for (const { startTime, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(({ node }) =>
          node instanceof Element ? node : (node?.parentElement ?? null),
        );
        // The right column loads independently.
        for (const element of moved.filter((it) => it?.closest("main")))
          shifts.push(`${startTime}: ${element?.outerHTML.slice(0, 200)}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  let arrive!: (value?: unknown) => void;
  const arrived = new Promise((resolve) => (arrive = resolve));
  await page.route("**/icon-*.png", async (route) => {
    await arrived;
    await route.continue();
  });
  await openFeed(
    page,
    makePost("1", { images: imagesOf(4) }),
    makePost("2", { images: imagesOf(1) }),
  );
  const blurs = page.getByRole("article").locator("canvas");
  await expect(blurs).toHaveCount(5);
  const seen = await blurs.first().evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
    return new Set(data).size;
  });
  expect(seen).toBeGreaterThan(5);
  const shifts = () => page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
  const before = await shifts();
  arrive();
  await expect(blurs).toHaveCount(0);
  expect(await shifts()).toEqual(before);
});

// proves: card-alt-badge
test("a description is shown without opening the image", async ({ page }) => {
  await openFeed(page, makePost("1", { images: imagesOf(2) }));
  const card = page.getByRole("article");
  const badge = card.getByRole("button", { name: /^ALT/ });
  await expect(badge).toHaveCount(1);
  await badge.press("Enter");
  const description = page.getByRole("dialog", { name: "Description of the image" });
  await expect(description).toHaveText("A lake at dawn");
  await page.keyboard.press("Escape");
  await expect(description).toHaveCount(0);
  await expect(badge).toBeFocused();
  await expect(page).toHaveURL("/");
});

// proves: card-alt, lightbox, lightbox-turn, lightbox-close
test("images open at full size, and keys and buttons switch between them", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await openFeed(page, makePost("1", { images: imagesOf(4) }));
  const fetched = () => scripts.filter((url) => /\/lightbox-[^/]*\.js$/.test(url)).length;
  expect(fetched(), "fetched when it is opened").toBe(0);
  const second = page.getByRole("button", { name: "Open image 2 of 4" });
  await second.press("Enter");
  const box = page.getByRole("dialog");
  const title = box.getByRole("heading");
  await expect(title).toHaveText("Image 2 of 4");
  expect(fetched()).toBe(1);
  await expect(box.locator("img")).toHaveAttribute("srcset", /512w/);
  await page.keyboard.press("ArrowRight");
  await expect(title).toHaveText("Image 3 of 4");
  await expect(box.getByRole("img", { name: "Two boats" })).toBeVisible();
  await expect(box.locator("p")).toHaveText("Two boats");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expect(title).toHaveText("Image 4 of 4");
  await expect(box.getByRole("button", { name: "Next image" })).toBeHidden();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await expect(title).toHaveText("Image 1 of 4");
  await box.getByRole("button", { name: "Next image" }).click();
  await expect(title).toHaveText("Image 2 of 4");
  await box.getByRole("button", { name: "Previous image" }).click();
  await expect(title).toHaveText("Image 1 of 4");
  // The focus stays in the lightbox.
  for (let pressed = 0; pressed < 4; pressed += 1) {
    await page.keyboard.press("Tab");
    await expect(box.locator(":focus")).toHaveCount(1);
  }
  await page.keyboard.press("Escape");
  await expect(box).toHaveCount(0);
  await expect(second).toBeFocused();
  await expect(page).toHaveURL("/");
});

// proves: back-closes, back-once, lightbox-close
test("Back closes the lightbox and stays on the page", async ({ page }) => {
  await openFeed(page, makePost("1", { images: imagesOf(1) }));
  const image = page.getByRole("button", { name: "Open the image: A lake at dawn" });
  const box = page.getByRole("dialog", { name: "Image", exact: true });
  await image.click();
  await expect(box).toBeVisible();
  await page.goBack();
  await expect(box).toHaveCount(0);
  await expect(page).toHaveURL("/");
  // Closed by other means, it leaves no history entry.
  await page.getByRole("link", { name: "Bob", exact: true }).click();
  await expect(page).toHaveURL("/profile/bob");
  await page.goBack();
  await image.click();
  await box.getByRole("button", { name: "Close" }).click();
  await expect(box).toHaveCount(0);
  await expectNoOverlays(page);
  await page.goBack();
  await expect(page).not.toHaveURL("/");
});

// proves: lightbox-turn, lightbox-close
test("swipes switch between images and close the lightbox", async ({ browser, kith }) => {
  const context = await browser.newContext({
    baseURL: kith.url,
    hasTouch: true,
    viewport: { width: 390, height: 800 },
  });
  const page = await context.newPage();
  await openFeed(page, makePost("1", { images: imagesOf(2) }));
  await page.getByRole("button", { name: /^Open image 1 of 2/ }).tap();
  const box = page.getByRole("dialog");
  const title = box.getByRole("heading");
  await expect(title).toHaveText("Image 1 of 2");
  const touch = await context.newCDPSession(page);
  const swipe = async (right: number, down: number) => {
    const at = (part: number) => [{ x: 195 + right * part, y: 350 + down * part }];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
    for (const part of [0.3, 0.6, 1]) {
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(part) });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await swipe(-30, 0);
  await expect(title).toHaveText("Image 1 of 2");
  await swipe(-120, 0);
  await expect(title).toHaveText("Image 2 of 2");
  await swipe(120, 0);
  await expect(title).toHaveText("Image 1 of 2");
  await swipe(0, 200);
  await expect(box).toHaveCount(0);
  await context.close();
});

test("an image that cannot be loaded shows a message", async ({ page }) => {
  await page.route("**/assets/lightbox-*.js", (route) => route.abort());
  const lost = makeImage({ url: "/images/gone/600.webp", srcset: "/images/gone/600.webp 600w" });
  await openFeed(page, makePost("1", { images: [lost] }));
  await expect(page.getByText("This image could not be loaded.")).toBeVisible();
  await page.getByRole("button", { name: "Open the image" }).click();
  await expectError(page, "Kith can't be reached right now.");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

// proves: card-images
test("images are in threads, replies and reposts too", async ({ page }) => {
  const original = makePost("1", { images: imagesOf(2) });
  await openFeed(page, makePost("2", { content: "", repostOfId: "1", repostOf: original }));
  await expect(page.getByRole("article").getByRole("group", { name: "2 images" })).toBeVisible();
  const reply = makePost("3", { replyToId: "1", images: imagesOf(1) });
  await mockResponse(page, "posts/1/thread", { ancestors: [], post: original, replies: [reply] });
  await page.goto("/post/1");
  await expect(page.getByRole("group", { name: "2 images" })).toBeVisible();
  const replies = page.getByRole("region", { name: "Replies" });
  await expect(replies.getByRole("group", { name: "Image", exact: true })).toBeVisible();
});

test("images in a feed and at full size are accessible", async ({ page }) => {
  test.slow();
  await openFeed(
    page,
    ...[1, 2, 3, 4].map((count) => makePost(`${count}`, { images: imagesOf(count) })),
  );
  await expectAccessible(page, "images in a feed");
  await page.getByRole("button", { name: /^Open image 3 of 4/ }).click();
  await expect(page.getByRole("dialog").getByText("Two boats")).toHaveCount(2);
  await expectAccessible(page, "an image at full size");
});
