import { mockResponse, logInAsAda, bob, holdResponse, twoHoursAgo } from "./mock-api";
import { expect, type Page, test } from "./test";

const getNavLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });

const follow = (id: string, username: string) => ({
  id,
  type: "follow",
  actor: { ...bob, id, username, displayName: username },
  post: null,
  isRead: true,
  createdAt: twoHoursAgo,
});

/** The requested paths that Discover and Notifications need. */
const recordPaths = (page: Page) => {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/notifications|trending/.test(pathname)) paths.push(pathname.replace(/-[^/]*\.js$/, ""));
  });
  return paths;
};

/** Stops timers, so that prefetching does not start by itself. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: "2026-11-01T08:00:00" });
  await page.clock.pauseAt("2026-11-01T09:00:00");
}

async function openHome(page: Page, more: { savesData?: boolean } = {}): Promise<void> {
  // Without the right column, which sends some of the same requests.
  await page.setViewportSize({ width: 390, height: 800 });
  await logInAsAda(page);
  await mockResponse(page, "notifications?*", [follow("7", "bruno")]);
  await page.addInitScript((saveData) => {
    Object.defineProperty(navigator, "connection", { value: { saveData } });
  }, more.savesData === true);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
}

// proves: ahead-idle, ahead-newest
test("prefetched data is shown until the current data is loaded", async ({ page }) => {
  const wanted = ["notifications?*", "trending?*", "users/suggested?*"];
  const coming = wanted.map((path) => page.waitForResponse(`**/api/${path}`));
  await openHome(page);
  await Promise.all(coming);
  const release = await holdResponse(page, "notifications?*");
  await getNavLink(page, "Notifications").click();
  await expect(page.getByRole("listitem").filter({ hasText: "bruno" })).toBeVisible();
  await release([follow("8", "clara"), follow("7", "bruno")]);
  await expect(page.getByRole("listitem").filter({ hasText: "clara" })).toBeVisible();
});

for (const [way, point] of Object.entries({
  "pointed at": (page: Page, name: string) => getNavLink(page, name).hover(),
  focused: (page: Page, name: string) => getNavLink(page, name).focus(),
  pressed: (page: Page, name: string) => getNavLink(page, name).dispatchEvent("pointerdown"),
})) {
  // proves: ahead-pointed
  test(`a link that is ${way} prefetches its screen`, async ({ page }) => {
    await stopClock(page);
    await openHome(page);
    const code = page.waitForResponse("**/assets/notifications-*.js");
    const data = page.waitForResponse("**/api/notifications?*");
    await point(page, "Notifications");
    await Promise.all([code, data]);
    const topics = page.waitForResponse("**/api/trending?*");
    await point(page, "Discover");
    await topics;
    await expect(page).toHaveURL("/");
  });
}

// proves: ahead-saves-data
test("with data saving only pressed links prefetch their screen", async ({ page }) => {
  await stopClock(page);
  const paths = recordPaths(page);
  await openHome(page, { savesData: true });
  await page.clock.runFor(10_000);
  await getNavLink(page, "Discover").hover();
  await getNavLink(page, "Notifications").focus();
  const data = page.waitForResponse("**/api/notifications?*");
  await getNavLink(page, "Notifications").dispatchEvent("pointerdown");
  await data;
  expect(new Set(paths)).toEqual(new Set(["/assets/notifications", "/api/notifications"]));
});
