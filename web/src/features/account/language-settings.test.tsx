import { Fragment } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { chooseLocale, loadMemberCatalog } from "@/lib/i18n/catalogs";
import { activeLocale } from "@/lib/i18n/locale";
import { useStore } from "@/lib/state/store";
import { expectToast, renderInApp } from "@/test/render";
import { LanguageSettings } from "./language-settings";

vi.mock("@/lib/i18n/catalogs", { spy: true });

beforeAll(() => loadMemberCatalog());
afterEach(() => chooseLocale("en"));

/** Mounted again when the language changes, as the app is. */
function Settings() {
  return (
    <Fragment key={useStore(activeLocale)}>
      <LanguageSettings />
    </Fragment>
  );
}

test("a selected language is shown and stored, and the field keeps the focus", async () => {
  const screen = await renderInApp(<Settings />);
  const choice = screen.getByRole("combobox", { name: "Language" });
  await expect.element(choice).toHaveValue("");
  const options = choice.getByRole("option").elements();
  expect(options.map(({ textContent }) => textContent)).toEqual([
    "Same as the browser",
    "English",
    "Deutsch",
  ]);
  await choice.selectOptions("Deutsch");
  const inGerman = screen.getByRole("combobox", { name: "Sprache" });
  await expect.element(inGerman).toHaveValue("de");
  await expect.element(inGerman).toHaveFocus();
  expect(document.documentElement.lang).toBe("de");
  await inGerman.selectOptions("Wie im Browser");
  await expect.element(choice).toHaveValue("");
  expect(document.documentElement.lang).toBe("en");
});

test("a language whose texts cannot be loaded is not chosen", async () => {
  const screen = await renderInApp(<Settings />);
  vi.mocked(chooseLocale).mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await screen.getByRole("combobox", { name: "Language" }).selectOptions("Deutsch");
  await expectToast("Error", "Failed to change the language. Please try again.");
  await expect.element(screen.getByRole("combobox", { name: "Language" })).toHaveValue("");
});
