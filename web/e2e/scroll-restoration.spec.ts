import { ada, mockLogout, mockResponse, logInAsAda, twoHoursAgo } from "./mock-api";
import { mockPages, loadRows, getTop } from "./long-list";
import { expect, type Page, test } from "./test";

const rows = (page: Page) => page.getByRole("article");
const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem("kith:places"));

/** Scrolls a post to the middle of the window, and returns its position. */
async function lookAt(page: Page, id: number): Promise<number> {
  const card = rows(page).filter({ hasText: `Post ${id}.` });
  await card.evaluate((element) => element.scrollIntoView({ block: "center" }));
  // The scroll position is stored in the next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  return (await getTop(page, id)) ?? Number.NaN;
}

for (const [name, address, path] of [
  ["Friends", "posts/feed", "/"],
  ["For You", "posts/for-you", "/?tab=for-you"],
  ["a profile", "users/ada/posts", "/profile/ada"],
] as const) {
  // proves: reload-place
  test(`a reload restores the scroll position of ${name}`, async ({ page }) => {
    await logInAsAda(page);
    const list = await mockPages(page, address);
    await page.goto(path);
    await loadRows(page, 60);
    const before = await lookAt(page, 1052);
    list.requests.length = 0;
    await page.reload();
    await expect(rows(page)).toHaveCount(60);
    await expect.poll(() => getTop(page, 1052)).toBe(before);
    expect(list.requests).toHaveLength(3);
  });
}

// proves: reload-place
test("new posts above do not move the content after a reload", async ({ page }) => {
  await logInAsAda(page);
  const list = await mockPages(page, "posts/feed");
  await page.goto("/");
  await loadRows(page, 60);
  const before = await lookAt(page, 1052);
  list.add(5);
  await page.reload();
  await expect(rows(page)).toHaveCount(60);
  await expect(rows(page).first()).toContainText("Post 1104.");
  await expect.poll(() => getTop(page, 1052)).toBe(before);
});

// proves: reload-place-top
test("a reload at the top shows new posts and notices", async ({ page }) => {
  await logInAsAda(page);
  const list = await mockPages(page, "posts/feed");
  await page.goto("/");
  await expect(rows(page)).toHaveCount(20);
  await mockResponse(page, "auth/me", { ...ada, deletionAt: twoHoursAgo });
  list.add(5);
  await page.reload();
  await expect(rows(page).first()).toContainText("Post 1104.");
  await expect(page.getByRole("button", { name: "Keep my account" })).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

// proves: reload-place
test("a reload keeps the scroll positions of earlier pages", async ({ page }) => {
  await logInAsAda(page);
  const list = await mockPages(page, "posts/feed");
  await page.goto("/");
  await loadRows(page, 60);
  const before = await lookAt(page, 1052);
  await page.getByRole("link", { name: "Invites", exact: true }).locator("visible=true").click();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Active Invites" })).toBeVisible();
  list.requests.length = 0;
  await page.goBack();
  await expect(rows(page)).toHaveCount(60);
  await expect.poll(() => getTop(page, 1052)).toBe(before);
  expect(list.requests).toHaveLength(3);
});

// proves: reload-place-yields
test("scrolling before the list is loaded cancels the restoration", async ({ page }) => {
  await logInAsAda(page);
  await mockPages(page, "posts/feed");
  await page.goto("/");
  await loadRows(page, 40);
  await lookAt(page, 1065);
  let release: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/posts/feed?*", async (route) => {
    await gate;
    await route.fallback();
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, -5_000);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  release?.();
  await expect(rows(page)).toHaveCount(40);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

// proves: reload-place-private
test("a logout deletes the scroll positions, and another member gets none", async ({ page }) => {
  await logInAsAda(page);
  await mockPages(page, "posts/feed");
  await mockLogout(page);
  await page.goto("/");
  await loadRows(page, 40);
  await lookAt(page, 1065);
  await page.reload();
  await expect(rows(page)).toHaveCount(40);
  const kept = (await stored(page)) ?? "";
  expect(kept).not.toBe("");
  expect(kept, "positions and numbers, no content").not.toContain("words");

  // Simulates stored scroll positions of another member.
  await page.addInitScript(() => {
    const others = sessionStorage.getItem("kith:places")?.replace('"member":"1"', '"member":"2"');
    if (others) sessionStorage.setItem("kith:places", others);
  });
  await page.reload();
  await expect(rows(page)).toHaveCount(20);
  expect(await page.evaluate(() => scrollY)).toBe(0);

  await loadRows(page, 40);
  await page
    .getByRole("button", { name: /^Account menu/ })
    .locator("visible=true")
    .click();
  await page.getByRole("menuitem", { name: "Logout", exact: true }).click();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  expect(await stored(page)).toBeNull();
  await page.reload();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  expect(await stored(page)).toBeNull();
});
