import { chooseFiles, getTiles, post } from "./composer-images";
import { red } from "./image-files";
import {
  cachedPaths,
  countNotedImages,
  hasPageScript,
  logInWithWorker,
  share,
  startUpgradableServer,
} from "./installed-app";
import { expect, expectAccessible, logOut, type Page, test } from "./test";

// Service workers and caches belong to the browser, so each test uses a new one.
test.use({ serverFor: "installed-app", serviceWorkers: "allow" });

const landing = (page: Page) => page.getByRole("heading", { name: "The human network" });
const composer = (page: Page) => page.getByRole("dialog", { name: "Create Post" });
const offline = (page: Page) => page.getByRole("heading", { name: "You are offline" });

const registrations = (page: Page) =>
  page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
  );

/** Posts an image and reloads the page, so that the image comes from the server. */
async function seePicture(page: Page, text: string): Promise<void> {
  await page.getByLabel("Your post").fill(text);
  await chooseFiles(page, red);
  await expect(post(page)).toBeEnabled();
  await post(page).click();
  await expect(page.getByText("Post created", { exact: true })).toBeVisible();
  await page.reload();
  const article = page.getByRole("article").filter({ hasText: text });
  await expect(article.locator("img").last()).toBeVisible();
}

// proves: worker-members
test("members have a service worker, and visitors have none", async ({ page, kith }) => {
  await page.goto("/");
  await expect(landing(page)).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(await registrations(page)).toEqual([]);
  await logInWithWorker(page, kith);
  expect(await registrations(page)).toEqual(["/"]);
});

// proves: offline-screen, offline-drafts, offline-retry
test("drafts are written offline and posted after that", async ({ page, context, kith }) => {
  await logInWithWorker(page, kith);
  await page.getByLabel("Your post").fill("Begun on a train");
  await context.setOffline(true);
  await page.goto("/notifications");
  await expect(offline(page)).toBeVisible();
  const draft = page.getByLabel("Your post");
  await expect(draft).toHaveValue("Begun on a train");
  await draft.fill("Begun on a train, ended in a tunnel");
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await expect(page.getByText("Kith can't be reached right now.", { exact: true })).toBeVisible();
  await expect(offline(page)).toBeVisible();
  await expect(draft).toHaveValue("Begun on a train, ended in a tunnel");
  await expectAccessible(page, "the offline screen");
  // Offline, a reload restores the page.
  await page.goto("/");
  await expect(draft).toHaveValue("Begun on a train, ended in a tunnel");
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  await expect(draft).toHaveValue("Begun on a train, ended in a tunnel");
  await post(page).click();
  await expect(page.getByText("Post created", { exact: true })).toBeVisible();
});

// proves: offline-screen, offline-retry
test("a server that cannot be reached is retried by a button", async ({ page, context, kith }) => {
  await logInWithWorker(page, kith);
  await context.route("**/api/auth/me", (route) => route.abort());
  await page.goto("/");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Kith can't be reached right now.");
  await context.unroute("**/api/auth/me");
  await alert.getByRole("button", { name: "Try again", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });
  // proves: offline-screen
  test("the offline screen is in the language of the app", async ({ page, context, kith }) => {
    await page.goto(await kith.signInLink("founder"));
    await expect(page.getByRole("heading", { name: "Startseite", exact: true })).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Du bist offline" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Noch einmal versuchen" })).toBeVisible();
  });
});

// proves: worker-images, worker-api
test("images are cached, and nothing of the API is", async ({ page, context, kith }) => {
  await logInWithWorker(page, kith);
  await seePicture(page, "With a picture");
  await page.waitForLoadState("networkidle");
  const cached = await cachedPaths(page);
  expect(cached["kith-images"]?.length).toBeGreaterThan(0);
  for (const path of cached["kith-images"] ?? []) expect(path).toMatch(/^\/images\//);
  const others = Object.entries(cached).filter(([name]) => name !== "kith-images");
  expect(others).toHaveLength(1);
  for (const path of others[0]?.[1] ?? []) {
    expect(path).toMatch(/^\/(?:assets\/[\w~.-]+|index\.html|start\.js)$/);
    expect(path).not.toMatch(/\/admin-/);
  }
  const [url = ""] = cached["kith-images"] ?? [];
  // Otherwise the image might come from the browser's HTTP cache.
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await context.setOffline(true);
  const width = await page.evaluate(async (src) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    return image.naturalWidth;
  }, url);
  expect(width).toBeGreaterThan(0);
});

// proves: update-offered, toast-button
test("a new version is offered, and installed by a button", async ({ page, kith }) => {
  const server = await startUpgradableServer(kith);
  await logInWithWorker(page, kith, server.url);
  await page.getByLabel("Your post").fill("Half a thought");
  const before = await page.evaluate(() => performance.timeOrigin);
  server.upgrade();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const offer = page.getByText("A new version is ready", { exact: true });
  await expect(offer).toBeVisible();
  // Other toasts disappear after five seconds.
  await page.waitForTimeout(6_000);
  await expect(offer).toBeVisible();
  expect(await hasPageScript(page)).toBe(true);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(before);
  const reloaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "Reload", exact: true }).click();
  await reloaded;
  expect(await page.evaluate(() => performance.timeOrigin)).not.toBe(before);
  await expect(page.getByLabel("Your post")).toHaveValue("Half a thought");
  expect(await hasPageScript(page)).toBe(false);
  server.stop();
});

// proves: logout-worker
test("a logout in any tab deletes the member's data in the service worker's caches", async ({
  page,
  context,
  kith,
}) => {
  await logInWithWorker(page, kith);
  await seePicture(page, "With another picture");
  await page.getByLabel("Your post").fill("Half a secret");
  await page.evaluate(async () => {
    const shares = await caches.open("kith-shares");
    await shares.put("/share/7", new Response("not meant for others"));
  });
  await expect.poll(async () => (await cachedPaths(page))["kith-images"]?.length).toBeTruthy();
  expect(await countNotedImages(page)).toBeGreaterThan(0);
  const other = await context.newPage();
  await other.goto("/discover");
  await logOut(other);
  await expect(landing(page)).toBeVisible();
  for (const tab of [page, other]) {
    const cached = await cachedPaths(tab);
    expect(Object.keys(cached).filter((name) => name.startsWith("kith-"))).toEqual([]);
    expect(await countNotedImages(tab)).toBe(0);
    const stored = await tab.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(stored).not.toContain("Half a secret");
  }
});

// proves: share-kept, share-composer
test("a shared text opens in the composer, with its image", async ({ page, kith }) => {
  await logInWithWorker(page, kith);
  await page.getByLabel("Your post").fill("Begun before");
  await share(page, { title: "A page", text: "Look: https://a.example/" }, red);
  await expect(composer(page)).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect(composer(page).getByLabel("Your post")).toHaveValue(
    "Begun before\n\nA page\nLook: https://a.example/",
  );
  await expect(getTiles(composer(page))).toHaveCount(1);
  await post(composer(page)).click();
  await expect(page.getByText("Post created", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Your post")).toHaveValue("");
});

// proves: share-kept, share-login
test("a share without a session opens after the login", async ({ page, context, kith }) => {
  await logInWithWorker(page, kith);
  await context.clearCookies();
  await page.goto("/");
  await expect(landing(page)).toBeVisible();
  await share(page, { text: "Shared while logged out" }, red);
  await expect(landing(page)).toBeVisible();
  await page.goto(await kith.signInLink("founder"));
  await expect(composer(page).getByLabel("Your post")).toHaveValue("Shared while logged out");
  await expect(getTiles(composer(page))).toHaveCount(1);
});

// proves: share-offline
test("an offline share opens once there is a network", async ({ page, context, kith }) => {
  await logInWithWorker(page, kith);
  await context.setOffline(true);
  await share(page, { text: "Shared in a tunnel" });
  await expect(offline(page)).toBeVisible();
  await context.setOffline(false);
  await expect(composer(page).getByLabel("Your post")).toHaveValue("Shared in a tunnel");
});

test.describe("without a service worker", () => {
  test.use({ serviceWorkers: "block" });
  // proves: share-without-worker
  test("a share asks to be repeated", async ({ page, kith }) => {
    await page.goto(await kith.signInLink("founder"));
    await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
    await share(page, { text: "Look" }, red);
    await expect(
      page.getByText("What you shared couldn't be kept. Please share it again.", { exact: true }),
    ).toBeVisible();
    await expect(page).toHaveURL("/");
  });
});
