import { mockResponse, logInAsAda, makePost, mockError } from "./mock-api";
import { expect, expectAccessible, expectNoOverlays, type Page, post, test } from "./test";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

// proves: route-tag, tag-title, tag-posts, card-hashtag
test("a hashtag links to all posts with it", async ({ founder: page }) => {
  await post(page, "Bread at last #Sourdough");
  await post(page, "Day two of #sourdough, and #Bäckerei");
  await page.getByRole("link", { name: "#Sourdough", exact: true }).click();
  await expect(page).toHaveURL("/tag/sourdough");
  await expect(heading(page)).toHaveText("#sourdough");
  await expect(page).toHaveTitle(/#sourdough · Kith$/);
  await expect(page.getByRole("article")).toContainText(["Day two", "Bread at last"]);
  await expectAccessible(page, "hashtag");
  await page.getByRole("link", { name: "#Bäckerei", exact: true }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.goBack();
  await expect(page.getByRole("article")).toHaveCount(2);
  await page.getByRole("link", { name: "Back to home" }).click();
  await expect(page).toHaveURL("/");
});

// proves: tag-empty, tag-impossible
test("a hashtag without posts, and an invalid one", async ({ founder: page }) => {
  await page.goto("/tag/unused_tag");
  await expect(page.getByText("No posts with #unused_tag yet.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Write the first one", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Create Post", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expectNoOverlays(page);
  for (const [address, shown] of [
    ["%D7%A9%D7%9C%D7%95%D7%9D", "#שלום"],
    ["%23caf%C3%A9", "#café"],
  ] as const) {
    await page.goto(`/tag/${address}`);
    await expect(heading(page)).toHaveText(shown);
    await expect(page.getByText(`No posts with ${shown} yet.`, { exact: true })).toBeVisible();
  }
  for (const [address, shown] of [
    ["100%25", "#100%"],
    ["%", "#%"],
    ["%E0%A4%A", "#%E0%A4%A"],
    ["a%2Fb", "#a/b"],
    ["%F0%9F%94%A5", "#🔥"],
    ["%23", "#"],
    ["x".repeat(500), `#${"x".repeat(500)}`],
  ] as const) {
    await page.goto(`/tag/${address}`);
    await expect(heading(page)).toHaveText(shown);
    await expect(page.getByText("That isn't a valid hashtag.", { exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true);
  }
});

// proves: tag-posts, web-pages-by-cursor, call-hashtag
test("a hashtag loads more after a full page, and shows an error if it cannot", async ({
  page,
}) => {
  await logInAsAda(page);
  await page.route("**/api/hashtags/tea/posts?*", (route) => {
    const isFirst = new URL(route.request().url()).searchParams.has("offset");
    const link = '</api/hashtags/tea/posts?limit=20&cursor=120>; rel="next"';
    const posts = Array.from({ length: isFirst ? 20 : 2 }, (_, at) =>
      makePost(String((isFirst ? 140 : 120) - at)),
    );
    return route.fulfill({ json: posts, headers: isFirst ? { link } : {} });
  });
  await page.goto("/tag/tea");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(20);
  const requested = page.waitForRequest("**/api/hashtags/tea/posts?*");
  await page.getByRole("button", { name: "Load more posts", exact: true }).click();
  expect(new URL((await requested).url()).search).toBe("?limit=20&cursor=120");
  await expect(cards).toHaveCount(22);
  await expect(page.getByRole("button", { name: "Load more posts" })).toHaveCount(0);
  await mockError(page, "hashtags/milk/posts?*", 503);
  await page.goto("/tag/milk");
  await expect(page.getByRole("alert")).toContainText("503");
  await mockResponse(page, "hashtags/milk/posts?*", [makePost("7")]);
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(cards).toHaveCount(1);
});
