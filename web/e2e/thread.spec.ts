import { mockResponse, logInAsAda, bob, makePost } from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

/** A chain of posts, each answering the one before; answers their ids. */
async function chain(page: Page, ...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const content of texts) {
    const replyToId = ids.at(-1) ?? "";
    const answered = await page.request.post("/api/posts", { data: { content, replyToId } });
    ids.push(((await answered.json()) as { id: string }).id);
  }
  return ids;
}

/** The post is right below the bars, whatever is above it; a font that arrives late may move it by a few pixels. */
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
  test(`what leads to a reply stands above it, on a ${device}`, async ({ founder: page }) => {
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
test("a long conversation leads to its start", async ({ founder: page }) => {
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
test("going back returns to the same place in a thread", async ({ founder: page }) => {
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
test("the nearest of what leads to a reply is shown, also where something is gone", async ({
  page,
}) => {
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
