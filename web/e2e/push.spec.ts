import { deliverPush, type PushService, startPushService } from "./push-service";
import { logInWithWorker } from "./installed-app";
import { type Kith, startKith } from "./server";
import { expect, expectAccessible, type Page, post, signUp, test } from "./test";

test.use({ serviceWorkers: "allow" });

let service: PushService;
let network: Kith;

test.beforeAll(async () => {
  service = await startPushService();
  network = await startKith(`--push-hosts=${service.origin}`);
});

test.afterAll(async () => {
  await network.stop();
  service.stop();
});

const push = (page: Page) => page.getByLabel("Push notifications on this device");

/**
 * Delivers a message, and expects a notification. The headless browser shows none, so a stub in the worker
 * records them; a worker that is restarted meanwhile loses them, and gets the message again.
 */
async function expectShown(
  page: Page,
  message: string | undefined,
  notification: string[],
): Promise<void> {
  await expect(async () => {
    const [worker] = page.context().serviceWorkers();
    if (!worker) throw new Error("The page has no service worker.");
    await worker.evaluate(() => {
      const shown: unknown[] = [];
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      registration.showNotification = (title: string, options?: NotificationOptions) => {
        shown.push(title, options?.body);
        return Promise.resolve();
      };
      Object.assign(globalThis, { shown });
    });
    await deliverPush(page, message ?? "");
    const readShown = () => worker.evaluate(() => (globalThis as { shown?: unknown }).shown);
    await expect.poll(readShown, { timeout: 3_000 }).toEqual(notification);
  }).toPass({ timeout: 30_000 });
}

// proves: settings-push, push-shown
test("a reply is pushed while Kith is not open", async ({ browser, context, page }) => {
  await context.grantPermissions(["notifications"]);
  await service.serve(context);
  await logInWithWorker(page, network);
  const friend = await browser.newPage({ baseURL: network.url });
  await signUp(friend, network, "ben@example.org", network.inviteCode);
  await page.goto(`${network.url}/settings`);
  await expect(push(page)).not.toBeChecked();
  await push(page).click();
  await expect(push(page)).toBeChecked();
  await expectAccessible(page, "the settings of notifications");

  await page.getByRole("button", { name: "Send me a test", exact: true }).click();
  await expect(page.getByText("The test is on its way", { exact: true })).toBeVisible();
  await expect.poll(() => service.messages.length).toBe(1);
  await expectShown(page, service.messages[0], [
    "Kith can reach you",
    "This is the test that you asked for.",
  ]);

  await page.getByLabel("Show the text of posts").click();
  await expect(page.getByLabel("Show the text of posts")).toBeChecked();
  await page.goto(network.url);
  await post(page, "Anybody awake?");
  // A closed page has no stream of live updates, which would show the reply.
  await page.goto("about:blank");

  await friend.getByRole("tab", { name: "For You" }).click();
  const article = friend.getByRole("article").filter({ hasText: "Anybody awake?" });
  await article.getByRole("button", { name: /^Reply/ }).click();
  const dialog = friend.getByRole("dialog");
  await dialog.getByLabel("Your reply").fill("Yes, me");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await expect.poll(() => service.messages.length, { timeout: 30_000 }).toBe(2);
  await friend.context().close();

  await page.goto(`${network.url}/terms`);
  await expectShown(page, service.messages[1], ["New member replied to you", "Yes, me"]);

  await page.goto(`${network.url}/settings`);
  await push(page).click();
  await expect(push(page)).not.toBeChecked();
  await expect(page.getByRole("button", { name: "Send me a test" })).toBeHidden();
});

// proves: settings-push-refused
test("without the browser's permission push stays off", async ({ context, page }) => {
  await service.serve(context);
  await logInWithWorker(page, network);
  await page.goto(`${network.url}/settings`);
  await page.evaluate(() => {
    Notification.requestPermission = () => Promise.resolve("denied");
  });
  await push(page).click();
  await expect(
    page.getByText("Allow notifications from Kith in your browser's settings first.", {
      exact: true,
    }),
  ).toBeVisible();
  await expect(push(page)).not.toBeChecked();
});
