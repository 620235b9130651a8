import { mockResponse, logInAsAda, makePost } from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

/** Holds the code of dialogs back, like a slow network, until the returned function is called. */
async function holdDialogs(page: Page): Promise<() => Promise<void>> {
  let resolve: (() => void) | undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  await page.route("**/assets/overlays-*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return async () => {
    const come = page.waitForResponse("**/assets/overlays-*.js");
    resolve?.();
    await (await come).finished();
  };
}

async function openHome(page: Page) {
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7")]);
  await page.goto("/");
}

const sign = (page: Page) => page.getByText("Opening...", { exact: true });
const newPost = (page: Page) =>
  page.getByRole("button", { name: "New Post", exact: true }).locator("visible=true");

// proves: dialog-late
test("a dialog on a slow network shows a loading state, and then opens", async ({ page }) => {
  const release = await holdDialogs(page);
  await openHome(page);
  await newPost(page).click();
  await expect(sign(page)).toBeVisible();
  await expectAccessible(page, "a dialog that comes late");
  await release();
  await expect(page.getByRole("dialog", { name: "Create Post" })).toBeVisible();
  await expect(sign(page)).toHaveCount(0);
});

const ways = {
  Escape: (page: Page) => page.keyboard.press("Escape"),
  "a second click": (page: Page) => newPost(page).click(),
  "a click elsewhere": (page: Page) => page.getByText("Post 7", { exact: true }).click(),
};

for (const [way, callOff] of Object.entries(ways)) {
  // proves: dialog-late
  test(`${way} cancels a dialog that is loading`, async ({ page }) => {
    const release = await holdDialogs(page);
    await openHome(page);
    await newPost(page).click();
    await expect(sign(page)).toBeVisible();
    await callOff(page);
    await expect(sign(page)).toHaveCount(0);
    await expect(page).toHaveURL("/");
    await release();
    // A dialog from the first click would open before the next one.
    await newPost(page).click();
    await expect(page.getByRole("dialog")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}
