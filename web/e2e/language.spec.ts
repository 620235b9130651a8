import { mockResponse, logInAsAda, expectError } from "./mock-api";
import { expect, expectAccessible, type Page, test } from "./test";

const language = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });

async function openSettings(page: Page) {
  await logInAsAda(page);
  await mockResponse(page, "auth/sessions", []);
  await mockResponse(page, "account/language", null, 204);
  await page.goto("/settings");
}

// proves: settings-language
test("a language that is chosen stays chosen", async ({ page }) => {
  await openSettings(page);
  const choice = language(page, "Language");
  await expect(choice).toHaveValue("");
  await expect(choice.getByRole("option")).toHaveText([
    "Same as the browser",
    "English",
    "Deutsch",
  ]);
  const saved = page.waitForRequest("**/api/account/language");
  await choice.selectOption("Deutsch");
  expect((await saved).postDataJSON()).toEqual({ language: "de" });
  await expect(page.getByRole("heading", { name: "Einstellungen", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(language(page, "Sprache")).toBeFocused();
  await expectAccessible(page, "the settings in German");
  await page.reload();
  await expect(language(page, "Sprache")).toHaveValue("de");
  await language(page, "Sprache").selectOption("Wie im Browser");
  await expect(page.getByRole("heading", { name: "Settings", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

// proves: settings-language-failed
test("a language whose texts cannot be loaded is not chosen", async ({ page }) => {
  await openSettings(page);
  await page.route(/assets\/shared-/, (route) => route.abort());
  await language(page, "Language").selectOption("Deutsch");
  await expectError(page, "Failed to change the language. Please try again.");
  await expect(language(page, "Language")).toHaveValue("");
  await page.reload();
  await expect(language(page, "Language")).toHaveValue("");
});

test.describe("in a German browser", () => {
  test.use({ locale: "de-AT" });

  // proves: language-browser
  test("the app is in German", async ({ page }) => {
    await openSettings(page);
    await expect(page.getByRole("heading", { name: "Einstellungen", exact: true })).toBeVisible();
    await expect(language(page, "Sprache")).toHaveValue("");
  });

  // proves: language-first-screen
  test("the first screen has no English texts in sight", async ({ page }) => {
    await logInAsAda(page);
    await page.addInitScript(() => localStorage.setItem("kith:member", "7"));
    await page.route(/assets\/index-.*\.js/, () => {});
    await page.goto("/", { waitUntil: "commit" });
    const heading = page.locator("#root > [inert] h1:visible");
    await expect(heading).toHaveCSS("color", "rgba(0, 0, 0, 0)");
  });
});
