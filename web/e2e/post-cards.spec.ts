import {
  ada,
  mockResponse,
  logInAsAda,
  bob,
  expectToast,
  holdResponse,
  makePost,
} from "./mock-api";
import { expect, type Page, test } from "./test";

const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();

async function openFeed(page: Page, ...posts: object[]) {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", posts);
  await page.goto("/");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(posts.length);
  return cards.first();
}

// proves: card-author, card-age, card-content, card-counts
test("a card shows the author, the text, the time and the counts", async ({ page }) => {
  const card = await openFeed(
    page,
    makePost("7", { content: "Look\nat me", replyCount: 3, repostCount: 2, likeCount: 1_500 }),
  );
  await expect(card.getByRole("link", { name: "Bob", exact: true })).toBeVisible();
  await expect(card.getByText("@bob", { exact: true })).toBeVisible();
  await expect(card.locator("img").first()).toHaveAttribute("src", "/favicon.svg");
  await expect(card.getByRole("time")).toHaveText("2h");
  await expect(card.getByText("Look at me")).toHaveText("Look\nat me");
  await expect(card.getByRole("button", { name: "Reply, 3", exact: true })).toHaveText("3");
  await expect(card.getByRole("button", { name: "Repost, 2", exact: true })).toHaveText("2");
  await expect(card.getByRole("button", { name: "Like, 1500", exact: true })).toHaveText("1.5K");
});

// proves: card-poll-percent, card-poll-expires
test("a poll that has ended shows the percentages", async ({ page }) => {
  const poll = { pollOptions: ["Tea", "Coffee"], pollTallies: { Tea: 2, Coffee: 1 } };
  const card = await openFeed(
    page,
    makePost("7", { ...poll, pollExpiresAt: yesterday }),
    makePost("8", { ...poll, pollExpiresAt: new Date(Date.now() + 3_590_000).toISOString() }),
  );
  const options = card.getByRole("group", { name: "Poll" }).locator("> *");
  await expect(options).toHaveText(["Tea67%", "Coffee33%"]);
  await expect(card.getByRole("button", { name: /Tea/ })).toHaveCount(0);
  await expect(card.getByText("3 votes · Expired 1 day ago", { exact: true })).toBeVisible();
  const open = page.getByRole("article").last();
  await expect(open.getByText("3 votes · Expires in 1 hour", { exact: true })).toBeVisible();
});

// proves: card-opens, card-mention, route-profile
test("a click on a card opens it, except on its controls", async ({ page }) => {
  const content = "Ask @bob about it";
  const post = makePost("7", { content, mentions: [{ username: "bob", start: 4, end: 8 }] });
  const card = await openFeed(page, post);
  await mockResponse(page, "posts/7/like", { ...post, isLiked: true, likeCount: 1 });
  await mockResponse(page, "posts/7/thread", { post, replies: [] });
  await mockResponse(page, "users/bob", { ...ada, ...bob, createdAt: yesterday });
  await card.getByRole("button", { name: "Like", exact: true }).click();
  await expect(page).toHaveURL("/");
  await card
    .getByText("Ask", { exact: false })
    .last()
    .click({ position: { x: 4, y: 8 } });
  await expect(page).toHaveURL("/post/7");
  await page.goBack();
  const name = card.getByRole("link", { name: "@bob", exact: true });
  await expect(name).toHaveAttribute("href", "/profile/bob");
  await name.click();
  await expect(page).toHaveURL("/profile/bob");
  await expect(page.getByRole("heading", { name: "Bob", exact: true })).toBeVisible();
});

// proves: card-reply, shell-compose-dialog, call-create-post
test("the reply button replies to its post", async ({ page }) => {
  const card = await openFeed(page, makePost("7"));
  await card.getByRole("button", { name: "Reply", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Create Post", exact: true });
  await expect(dialog.getByText("Replying to @bob")).toBeVisible();
  await mockResponse(page, "posts", makePost("9", { content: "So true", replyToId: "7" }), 201);
  const request = page.waitForRequest((sent) => sent.method() === "POST");
  await dialog.getByLabel("Your reply").fill("So true");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  expect((await request).postDataJSON()).toEqual({ content: "So true", replyToId: "7" });
});

// proves: call-repost, call-undo-repost, web-json-type
test("a repost is a post of a recycling emoji, and a like has no body", async ({ page }) => {
  const post = makePost("7");
  const card = await openFeed(page, post);
  await mockResponse(page, "posts", makePost("9", { repostOfId: "7", repostOf: post }), 201);
  await mockResponse(page, "posts/7/repost", post);
  await mockResponse(page, "posts/7/like", { ...post, isLiked: true, likeCount: 1 });
  const sent = async (button: string, method: string) => {
    const request = page.waitForRequest((made) => made.method() === method);
    await card.getByRole("button", { name: button }).click();
    return request;
  };
  const repost = await sent("Repost", "POST");
  expect(new URL(repost.url()).pathname).toBe("/api/posts");
  expect(repost.postDataJSON()).toEqual({ content: "♻️", repostOfId: "7" });
  expect(repost.headers()["content-type"]).toBe("application/json");
  const undo = await sent("Undo repost", "DELETE");
  expect(new URL(undo.url()).pathname).toBe("/api/posts/7/repost");
  const like = await sent("Like", "POST");
  expect(like.postData()).toBeNull();
  expect(like.headers()).not.toHaveProperty("content-type");
});

// proves: thread-post, thread-loading, thread-actions, thread-title, route-post
test("a thread has the post, its replies and all actions", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await logInAsAda(page);
  const post = makePost("7", { content: "The beginning" });
  const replies = [makePost("8", { content: "An answer", replyToId: "7" })];
  const release = await holdResponse(page, "posts/7/thread");
  await page.goto("/post/7");
  const loading = page.getByRole("main").getByRole("status");
  await expect(loading.getByText("Loading...", { exact: true })).toBeAttached();
  await release({ post, replies });
  await expect(page.getByRole("heading", { name: "Thread", exact: true })).toBeVisible();
  const [main, reply] = [page.getByRole("article").first(), page.getByRole("article").last()];
  await expect(main.getByText("The beginning", { exact: true })).toBeVisible();
  await expect(reply.getByText("An answer", { exact: true })).toBeVisible();
  await mockResponse(page, "posts/7/like", { ...post, isLiked: true, likeCount: 1 });
  await mockResponse(page, "posts", makePost("9", { repostOfId: "7", repostOf: post }), 201);
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") calls.push(new URL(request.url()).pathname);
  });
  await main.getByRole("button", { name: "Like", exact: true }).click();
  await expect(main.getByRole("button", { name: "Unlike, 1", exact: true })).toBeVisible();
  await main.getByRole("button", { name: "Repost", exact: true }).click();
  await expect(main.getByRole("button", { name: "Undo repost, 1", exact: true })).toBeVisible();
  await expect.poll(() => calls).toEqual(["/api/posts/7/like", "/api/posts"]);
  await main.getByRole("button", { name: "Share", exact: true }).click();
  await expectToast(page, "Copied", "The link to this post is on your clipboard.");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(copied).pathname).toBe("/post/7");
});

// proves: card-share
test("a touch device opens its share sheet, and others copy the link", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(globalThis, { shared });
    // The app recognises touch devices by their pointer.
    navigator.share = async (what) => void shared.push(what);
    const { matchMedia } = globalThis;
    globalThis.matchMedia = (query) =>
      matchMedia(query === "(pointer: coarse)" && location.hash === "#touch" ? "all" : query);
  });
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  const share = page.getByRole("article").getByRole("button", { name: "Share", exact: true });
  const shared = () => page.evaluate(() => (globalThis as unknown as { shared: object[] }).shared);
  await page.goto("/");
  await share.click();
  await expectToast(page, "Copied", "The link to this post is on your clipboard.");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(copied).pathname).toBe("/post/7");
  expect(await shared()).toEqual([]);
  await page.goto("/#touch");
  await page.reload();
  await share.click();
  await expect.poll(shared).toEqual([{ url: copied }]);
});

// proves: card-address-first
test("a URL is shown from its host on, in any text", async ({ page }) => {
  const letter = "\u{5d0}";
  const content = `${letter} https://evil.example?${letter}/kith.example @bob`;
  const start = content.indexOf("@");
  const mentions = [{ username: "bob", start, end: start + 4 }];
  const label = content.slice(10, start - 1);
  const links = [{ url: content.slice(2, start - 1), label, start: 2, end: start - 1 }];
  const card = await openFeed(page, makePost("7", { content, mentions, links }));
  const link = card.getByRole("link", { name: "evil.example" });
  await expect(link).toBeVisible();
  const [host, end] = await link.evaluate((element) => {
    const text = element.firstChild;
    if (text === null) throw new Error("The link has no text.");
    const edge = (word: string) => {
      const at = text.textContent?.indexOf(word) ?? -1;
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + word.length);
      return range.getBoundingClientRect().left;
    };
    return [edge("evil.example"), edge("kith.example")] as const;
  });
  expect(host).toBeLessThan(end);
  await expect(card.getByRole("link", { name: "@bob", exact: true }).last()).toHaveAttribute(
    "dir",
    "ltr",
  );
});

// proves: card-wide
test("an unbreakable text does not widen its post", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const content = "\u{1f600}\u{200d}".repeat(700);
  const card = await openFeed(page, makePost("7", { content }));
  const text = card.getByText(content.slice(0, 100));
  expect(await text.evaluate((it) => it.scrollWidth)).toBeGreaterThan(2_000);
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
});

// proves: card-wide
test("stacked combining marks stay inside the box of their text", async ({ page }) => {
  const content = `e${"\u{301}".repeat(55)}`.repeat(42);
  const post = makePost("7", { content });
  const card = await openFeed(page, post, makePost("8"));
  await expect(card.getByText(content)).toHaveCSS("overflow", "clip");
  const marked = { ...ada, ...bob, displayName: content, bio: `${content}.`, createdAt: yesterday };
  await mockResponse(page, "users/bob", marked);
  await page.goto("/profile/bob");
  await expect(page.getByRole("heading", { name: content, exact: true })).toHaveCSS(
    "overflow",
    "clip",
  );
  const bio = page.getByRole("paragraph").filter({ hasText: `${content}.` });
  await expect(bio).toHaveCSS("overflow", "clip");
});
