import { site } from "@/lib/site";
import { createStore } from "@/lib/state/store";
import { readStorage, writeStorage } from "@/lib/storage/web-storage";

/** The languages that have catalogues of translations, or need none. */
const translatedLocales = ["en", "de"] as const;

/** Languages that only builds for tests have: English with accents, written in both directions. */
const pseudoLocales = ["en-XA", "ar-XB"] as const;

export type Locale = (typeof translatedLocales | typeof pseudoLocales)[number];

/** Whether the build has pseudo-locales; `vite build --mode pseudo` does. */
export const hasPseudoLocales = import.meta.env.MODE === "pseudo";

/** The languages that a member can choose, and that are detected; `start.js` lists those of a release too. */
export const selectableLocales: readonly Locale[] = [
  ...translatedLocales,
  ...(hasPseudoLocales ? pseudoLocales : []),
];

// `start.js` reads the stored value, too.
const STORAGE_KEY = "kith:locale";

/** The language in which texts, dates and numbers are shown. */
export const activeLocale = createStore<Locale>("en");

/** Whether a text is the tag of a language that this build has. */
function isLocale(tag: string | null | undefined): tag is Locale {
  return selectableLocales.some((locale) => locale === tag);
}

/** Whether a language is for tests only: English texts with accents. */
export function isPseudoLocale(locale: Locale): boolean {
  return hasPseudoLocales && pseudoLocales.some((pseudo) => pseudo === locale);
}

/** The direction in which a language is written. */
export function getDirection(locale: Locale): "ltr" | "rtl" {
  return hasPseudoLocales && locale === "ar-XB" ? "rtl" : "ltr";
}

/** Whether the active language is written from right to left. */
export const isRightToLeft = (): boolean => getDirection(activeLocale.get()) === "rtl";

/** The language tag for `Intl`: English for pseudo-locales, whose own digits and months would differ. */
export function getIntlLocale(): string {
  const locale = activeLocale.get();
  return isPseudoLocale(locale) ? "en" : locale;
}

/** The language that was chosen on this device; null if the browser's own is used. */
export function readStoredLocale(): Locale | null {
  const stored = readStorage("localStorage", STORAGE_KEY);
  return isLocale(stored) ? stored : null;
}

/** Stores the choice for the next visit; null follows the browser. */
export function storeLocale(locale: Locale | null): void {
  writeStorage("localStorage", STORAGE_KEY, locale);
}

/** The chosen language, else the first of the browser's languages that the app has, else the network's, else English. */
export function detectLocale(chosen: Locale | null = readStoredLocale()): Locale {
  const tags = navigator.languages.map((tag) => tag.split("-", 1)[0]?.toLowerCase());
  return chosen ?? tags.find(isLocale) ?? site.get().defaultLanguage ?? "en";
}
