import { mockResponse, logInAsAda, bob, makePost } from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

/** Creates a chain of replies, and returns their ids. */
async function chain(page: Page, ...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const content of texts) {
    const replyToId = ids.at(-1) ?? "";
    const answered = await page.request.post("/api/posts", { data: { content, replyToId } });
    ids.push(((await answered.json()) as { id: string }).id);
  }
  return ids;
}

/** Expects the post right below the bars; a late font may move it by a few pixels. */
const expectBelowBars = (page: Page, text: string, top = 64) =>
  expect
    .poll(() =>
      page
        .getByRole("article")
        .filter({ hasText: text })
        .evaluate((card, wanted) => Math.abs(card.getBoundingClientRect().top - wanted), top),
    )
    .toBeLessThanOrEqual(4);

for (const [device, viewport, top] of [
  ["desk", { width: 1440, height: 900 }, 64],
  ["phone", { width: 390, height: 800 }, 120],
] as const) {
  // proves: thread-above, thread-starts-at-post, thread-post
  test(`the posts before a reply are above it, on a ${device}`, async ({ founder: page }) => {
    await page.setViewportSize(viewport);
    const [, , , reply] = await chain(
      page,
      `The first word ${device}`,
      `The second word ${device}`,
      `The third word ${device}`,
      `The last word ${device}`,
    );
    await page.goto(`/post/${reply}`);
    const above = page.getByRole("region", { name: "What this answers" });
    await expect(above.getByRole("article")).toContainText([
      "The first word",
      "The second word",
      "The third word",
    ]);
    await expectBelowBars(page, "The last word", top);
    await expectAccessible(page, "a reply below what it answers");
  });
}

// proves: thread-root
test("a long conversation links to its first post", async ({ founder: page }) => {
  const texts = Array.from({ length: 23 }, (_, level) => `Level ${level} of a long talk`);
  const ids = await chain(page, ...texts);
  const start = page.getByRole("link", { name: "Go to the start of the conversation" });
  await page.goto(`/post/${ids[20]}`);
  await expect(page.getByText("Level 0 of a long talk")).toBeAttached();
  await expect(start).toHaveCount(0);
  await page.goto(`/post/${ids[22]}`);
  await expect(page.getByText("Level 2 of a long talk")).toBeAttached();
  await expectBelowBars(page, "Level 22");
  await start.click();
  await expect(page).toHaveURL(`/post/${ids[0]}`);
  await expect(page.getByText("Level 1 of a long talk")).toBeVisible();
});

// proves: thread-starts-at-post, thread-actions
test("Back restores the scroll position of a thread", async ({ founder: page }) => {
  const ids = await chain(page, "Once", "upon", "a time", "there was", "a thread");
  await page.goto(`/post/${ids[4]}`);
  await expectBelowBars(page, "a thread");
  const like = page
    .getByRole("article")
    .filter({ hasText: "upon" })
    .getByRole("button", { name: "Like", exact: true });
  await like.scrollIntoViewIfNeeded();
  await like.click();
  await expect(page.getByRole("button", { name: "Unlike, 1", exact: true })).toBeVisible();
  await page.mouse.wheel(0, -1);
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeLessThan(300);
  await page.getByText("upon", { exact: true }).click();
  await expect(page).toHaveURL(`/post/${ids[1]}`);
  await expectBelowBars(page, "upon");
  await page.goBack();
  await expect(page).toHaveURL(`/post/${ids[4]}`);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
});

// proves: thread-above, thread-tombstone
test("the nearest posts before a reply are shown, also if some are deleted", async ({ page }) => {
  await logInAsAda(page);
  const ancestors = [
    makePost("5", {
      content: "Not the beginning",
      replyToId: "4",
      replyTo: { id: "4", author: { ...bob, id: "9", username: "eve", displayName: "Eve" } },
    }),
    makePost("6", { content: "", isDeleted: true, replyToId: "5" }),
  ];
  const post = makePost("7", { content: "Still here", replyToId: "6" });
  await mockResponse(page, "posts/7/thread", { ancestors, post, replies: [] });
  await page.goto("/post/7");
  const above = page.getByRole("region", { name: "What this answers" });
  await expect(above.getByText("This post was deleted.")).toBeVisible();
  await expect(above.getByRole("link", { name: "@eve", exact: true })).toHaveAttribute(
    "href",
    "/post/4",
  );
});
