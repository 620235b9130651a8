import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { api } from "@/api/client";
import { handleMutationError } from "@/api/handle-mutation-error";
import { chooseLocale } from "@/lib/i18n/catalogs";
import { activeLocale, type Locale, selectableLocales, readStoredLocale } from "@/lib/i18n/locale";
import { toastError } from "@/lib/state/toast";

/** The languages by their names for those who speak them. */
const names: Record<Locale, string> = {
  en: "English",
  de: "Deutsch",
  "en-XA": "[English, accented]",
  "ar-XB": "[English, right to left]",
};

/** Where a member chooses the language of the app on this device, and of emails. */
export function LanguageSettings() {
  return (
    <select
      id="language"
      aria-label={t`Language`}
      value={readStoredLocale() ?? ""}
      onChange={(event) => void choose(event.target.value)}
      className="mt-4 h-11 max-w-full rounded-full border border-border bg-background px-4 text-base outline-none focus:border-primary focus:ring-3 focus:ring-primary/20"
    >
      <option value="">
        <Trans>Same as the browser</Trans>
      </option>
      {selectableLocales.map((locale) => (
        <option key={locale} value={locale} lang={locale}>
          {names[locale]}
        </option>
      ))}
    </select>
  );
}

async function choose(value: string) {
  try {
    await chooseLocale(selectableLocales.find((locale) => locale === value) ?? null);
    // The page is mounted again in the other language, without the focus.
    setTimeout(() => document.querySelector<HTMLElement>("#language")?.focus());
  } catch {
    toastError(t`Failed to change the language. Please try again.`);
    return;
  }
  const language = activeLocale.get() === "de" ? "de" : "en";
  try {
    await api.PUT("/api/account/language", { body: { language } });
  } catch (error) {
    handleMutationError(error, t`Failed to change the language of your emails. Please try again.`);
  }
}
