import { ada, mockResponse, logInAsAda, holdResponse, mockError } from "./mock-api";
import { expect, expectAccessible, expectShortcutsReady, type Page, test } from "./test";

/** Members in the format of user lists. */
function member(id: string, username: string, more: object = {}): object {
  return { ...ada, id, username, displayName: `Name of ${username}`, bio: "", ...more };
}

const newReason = { code: "new", message: "New on this network", name: null, others: null };

function suggestion(id: string, username: string, reason: object): object {
  return member(id, username, { reason });
}

const house = [
  { tag: "WebDev", category: "Technology", postCount: 12_300 },
  { tag: "UIDesign", category: "Design", postCount: 1 },
  { tag: "BuildInPublic", category: "Startups", postCount: 0 },
  { tag: "AI", category: "Technology", postCount: 7 },
  { tag: "React", category: "Programming", postCount: 8 },
  { tag: "Design", category: "Creative", postCount: 9 },
];

async function openDiscover(page: Page, query = "") {
  await page.goto(`/discover${query}`);
  await expect(page.getByRole("heading", { name: "Discover", exact: true })).toBeVisible();
  return page.getByRole("main");
}

// proves: route-discover, discover-title, discover-search-box
test("Discover has a title, a search field and an entry in the navigation", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/");
  // An empty feed links to Discover, too.
  const frame = page.getByRole("navigation");
  await frame.getByRole("link", { name: "Discover", exact: true }).locator("visible=true").click();
  await expect(page).toHaveURL("/discover");
  await expect(page).toHaveTitle("Discover · Kith");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Discover");
  await expect(main.getByPlaceholder("Search for users...", { exact: true })).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveCount(1);
});

// proves: discover-search-results, discover-search-address
test("a search shows the number of results, and is in the URL", async ({ page }) => {
  test.slow();
  await logInAsAda(page);
  const main = await openDiscover(page);
  const release = await holdResponse(page, "users/search?*");
  const requested = page.waitForRequest("**/api/users/search?*");
  await page.getByRole("searchbox").fill(" bo ");
  await expect(main.getByText("Searching...", { exact: true })).toBeVisible();
  await expect(main.getByRole("heading", { name: "Search Results", exact: true })).toBeVisible();
  expect(new URL((await requested).url()).search).toBe("?q=bo&limit=20");
  await release([
    member("2", "bob", { bio: "Builds things.", isFollowing: true, followsYou: true }),
    member("3", "bobby", { followsYou: true }),
    ada,
  ]);
  await expect(main.getByText("Searching...", { exact: true })).toHaveCount(0);
  const rows = main.getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("@bob");
  await expect(rows.nth(0)).toContainText("Builds things.");
  await expect(rows.nth(1).getByText("Follows you", { exact: true })).toBeVisible();
  await expect(page).toHaveURL("/discover?q=bo");
  await expectAccessible(page, "search results");

  await mockResponse(page, "users/bob", member("2", "bob"));
  await rows.nth(0).getByRole("link", { name: "Name of bob" }).click();
  await expect(page).toHaveURL("/profile/bob");
  await expect(page.getByRole("region", { name: "About" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("searchbox")).toHaveValue("bo");
  await expect(rows).toHaveCount(3);
  await mockResponse(page, "users/search?*", [member("4", "bonnie")]);
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("bo");
  await expect(rows).toHaveText([/@bonnie/]);
});

// proves: discover-search-none
test("a search without results names the term, whatever it is", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "users/search?*", []);
  const main = await openDiscover(page);
  const field = page.getByRole("searchbox");
  for (const term of ["Not Here", "نور ١٢٣", "🦊".repeat(20), "w".repeat(100), "a&b=c#d%"]) {
    await field.fill(term);
    await expect(main.getByText(`No users found for “${term}”.`, { exact: true })).toBeVisible();
    await expect(main.locator("bdi", { hasText: term })).toBeVisible();
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);
  }
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("");
  await expect(page).toHaveURL("/discover");
  await expect(main.getByRole("heading", { name: "Who to follow", exact: true })).toBeVisible();
});

// proves: discover-search-blank
test("a blank term is not searched for", async ({ page }) => {
  await logInAsAda(page);
  const searches: string[] = [];
  await page.route("**/api/users/search?*", (route) => {
    searches.push(new URL(route.request().url()).searchParams.get("q") ?? "");
    return route.fulfill({ json: [] });
  });
  const main = await openDiscover(page, "?q=%20%E2%80%8B%20");
  const field = page.getByRole("searchbox");
  await expect(field).toHaveValue("");
  for (const blank of [" ", "\u200b", "  \u00a0 "]) {
    await field.fill(blank);
    await field.press("Enter");
  }
  await expect(main.getByRole("heading", { name: "Who to follow", exact: true })).toBeVisible();
  await field.fill("last");
  await field.press("Enter");
  await expect(main.getByText("No users found for “last”.", { exact: true })).toBeVisible();
  expect(searches).toEqual(["last"]);
});

test("a rejected search term shows the reason, and a failed search can be retried", async ({
  page,
}) => {
  await logInAsAda(page);
  await mockError(page, "users/search?*", 400, "A search term has at most 100 characters.");
  const main = await openDiscover(page, `?q=${"long".repeat(30)}`);
  await expect(main.getByText("A search term has at most 100 characters.")).toBeVisible();
  await expect(main.getByRole("button", { name: "Retry" })).toHaveCount(0);
  await page.route("**/api/users/search?*", (route) => route.abort());
  await page.getByRole("searchbox").fill("bob");
  await expect(main.getByRole("alert")).toContainText("Kith can't be reached right now.");
  await mockResponse(page, "users/search?*", [member("2", "bob")]);
  await main.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(main.getByRole("listitem")).toHaveText([/@bob/]);
});

// proves: discover-trending, discover-trending-more
test("pinned topics are in the order of the operator, above trending ones", async ({ page }) => {
  await logInAsAda(page);
  const trending = ["garden", "100%_رائع", "x".repeat(100)].map((tag, index) => ({
    tag,
    category: null,
    postCount: 3 - index,
  }));
  await mockResponse(page, "trending?*", [...house, ...trending]);
  await openDiscover(page);
  const card = page.getByRole("region", { name: "Trending", exact: true });
  const rows = card.getByRole("listitem");
  await expect(rows).toHaveText([
    "TechnologyWebDev12.3K posts",
    "DesignUIDesign1 post",
    "StartupsBuildInPublic0 posts",
    "TechnologyAI7 posts",
    "ProgrammingReact8 posts",
    "CreativeDesign9 posts",
  ]);
  await expect(rows.first().getByRole("link")).toHaveAttribute("href", "/tag/WebDev");
  const more = card.getByRole("button", { name: "Show more", exact: true });
  await expect(more).toHaveAttribute("aria-expanded", "false");
  await more.press("Enter");
  await expect(rows).toHaveCount(9);
  await expect(rows.nth(6)).toHaveText("garden3 posts");
  await expect(rows.nth(7).getByRole("link")).toHaveAttribute(
    "href",
    `/tag/${encodeURIComponent("100%_رائع")}`,
  );
  await card.getByRole("button", { name: "Show less", exact: true }).click();
  await expect(rows).toHaveCount(6);
});

for (const [path, width] of [
  ["/discover", 390],
  ["/discover", 1_440],
  ["/", 1_440],
] as const) {
  test(`at ${path}, ${width} px wide, topics that arrive move nothing`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await logInAsAda(page);
    const release = await holdResponse(page, "trending?*");
    await page.goto(path);
    const below = page.getByRole("heading", { name: "Who to follow", exact: true });
    await expect(page.getByRole("region", { name: "Trending" }).getByRole("status")).toBeAttached();
    await expect(page.getByText("No suggestions available.")).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const before = await below.boundingBox();
    await release(house);
    await expect(page.getByRole("link", { name: "WebDev" })).toBeVisible();
    expect(await below.boundingBox()).toEqual(before);
  });
}

// proves: discover-suggestions, discover-suggestions-loading, follow-cards
test("suggested members have a reason", async ({ page }) => {
  test.slow();
  await logInAsAda(page);
  await mockResponse(page, "trending?*", house);
  const release = await holdResponse(page, "users/suggested?*");
  const requested = page.waitForRequest("**/api/users/suggested?*");
  const main = await openDiscover(page);
  const card = main.getByRole("region", { name: "Who to follow", exact: true });
  await expect(card.getByText("Loading suggestions...", { exact: true })).toBeAttached();
  expect(new URL((await requested).url()).search).toBe("?limit=10");
  await release(
    Array.from({ length: 10 }, (_, index) =>
      suggestion(`1${index}`, `friend_${index}`, {
        code: "followed_by",
        message: "Followed by Bob and 2 others you follow",
        name: "Bob",
        others: 2,
      }),
    ),
  );
  const rows = card.getByRole("listitem");
  await expect(rows).toHaveCount(10);
  await expect(card.getByText("Loading suggestions...", { exact: true })).toHaveCount(0);
  await expect(
    rows.first().getByText("Followed by Bob and 2 others you follow", { exact: true }),
  ).toBeVisible();
  await expect(rows.first().getByRole("button", { name: "Follow @friend_0" })).toHaveText("Follow");
  await expectAccessible(page, "Discover");
});

// proves: discover-suggestions-none
test("without suggestions a message says so", async ({ page }) => {
  await logInAsAda(page);
  const main = await openDiscover(page);
  await expect(main.getByText("No suggestions available.", { exact: true })).toBeVisible();
});

test("each card that fails can be retried on its own", async ({ page }) => {
  await logInAsAda(page);
  await mockError(page, "trending?*", 503, "Kith is busy. Please try again in a moment.");
  await page.route("**/api/users/suggested?*", (route) => route.abort());
  const main = await openDiscover(page);
  const topics = page.getByRole("region", { name: "Trending", exact: true });
  const people = main.getByRole("region", { name: "Who to follow", exact: true });
  await expect(topics.getByRole("alert")).toContainText("Kith is busy.");
  await expect(people.getByRole("alert")).toContainText("Kith can't be reached right now.");
  await expectAccessible(page, "Discover that failed");
  await mockResponse(page, "trending?*", house);
  await mockResponse(page, "users/suggested?*", [suggestion("2", "bob", newReason)]);
  await topics.getByRole("button", { name: "Retry" }).click();
  await expect(topics.getByRole("listitem")).toHaveCount(6);
  await people.getByRole("button", { name: "Retry" }).click();
  await expect(people.getByRole("listitem")).toHaveText([/@bob/]);
});

// Each has its own page, because the app soon redirects to the login.
for (const [call, query] of [
  ["users/suggested?*", ""],
  ["users/search?*", "?q=bob"],
] as const) {
  // proves: discover-logged-out
  test(`without a session ${call} redirects to the login`, async ({ page }) => {
    await logInAsAda(page);
    await mockError(page, call, 401, "Please log in.");
    // The login responds without content, or it would replace this page before the toast can be read.
    await page.route("**/api/login", (route) => route.fulfill({ status: 204 }));
    const main = await openDiscover(page, query);
    await expect(main.getByText("Please log in to discover users.", { exact: true })).toBeVisible();
    await expect(main.getByRole("link", { name: "Login", exact: true })).toHaveAttribute(
      "href",
      "/api/login",
    );
  });
}

// proves: discover-search-key
test("the keyboard finds, follows and opens", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "users/search?*", [member("2", "bob")]);
  await mockResponse(page, "follows", { isFollowing: true });
  await page.setViewportSize({ width: 900, height: 800 });
  await page.goto("/invites");
  await expect(page.getByRole("heading", { name: "Invite Friends", exact: true })).toBeVisible();
  await expectShortcutsReady(page);
  await page.keyboard.press("/");
  await expect(page).toHaveURL("/discover");
  const field = page.getByRole("searchbox");
  await expect(field).toBeFocused();
  await page.keyboard.type("bob/");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/discover?q=bob%2F");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Clear search" })).toBeFocused();
  const row = page.getByRole("main").getByRole("listitem");
  await expect(row.getByRole("link")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(row.getByRole("link")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(row.getByRole("button", { name: "Following @bob" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await mockResponse(page, "users/bob", member("2", "bob"));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/profile/bob");
  await expect(page.getByRole("button", { name: "Following @bob" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await expect(page).toHaveURL("/discover");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(page).toHaveURL("/invites");
  // The screen's code is loaded by now, so it shows immediately.
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
});

test("a search term with reserved characters of URLs stays as it is", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "users/search?*", []);
  const box = (await openDiscover(page)).getByRole("searchbox");
  for (const term of ["c++", "R&B", "100%", "%41"]) {
    await box.fill(term);
    await expect(page).toHaveURL(`/discover?${new URLSearchParams({ q: term })}`);
    await page.reload();
    await expect(box).toHaveValue(term);
  }
});
