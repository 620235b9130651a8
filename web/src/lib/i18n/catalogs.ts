import {
  activeLocale,
  detectLocale,
  getDirection,
  isPseudoLocale,
  type Locale,
  storeLocale,
} from "./locale";
import { addTranslations, clearTranslations, type CompiledMessage } from "./message";

type Catalog = Readonly<Record<string, CompiledMessage>>;
type CatalogModule = Promise<{ messages: Catalog }>;

/** The texts of all pages, those of members' pages, which visitors do not download, and the server's. */
type CatalogName = "shared" | "member" | "server";

type Catalogs = Partial<Record<Locale, Record<CatalogName, () => CatalogModule>>>;

const catalogs: Readonly<Catalogs> = {
  de: {
    shared: () => import("./locales/de/shared.po"),
    member: () => import("./locales/de/member.po"),
    server: () => import("./locales/de/server.po"),
  },
};

const neededCatalogs = new Set<CatalogName>(["shared"]);

/**
 * Shows the app in the language of this device. To be awaited before the first text is rendered; in
 * English it waits for nothing.
 */
export async function initLocale(): Promise<void> {
  const locale = detectLocale();
  // If its texts can't be loaded, as after an upgrade of the server, English is better than nothing.
  if (locale === "en") return;
  await loadTexts(locale).then((texts) => showLocale(locale, texts), ignoreFailure);
}

/** Loads the texts of members' pages too, now and with every other language. */
export async function loadMemberCatalog(): Promise<void> {
  neededCatalogs.add("member");
  await initLocale();
}

/**
 * Shows the app in another language and stores the choice; null follows the browser. Fails without a
 * change if the texts can't be loaded.
 */
export async function chooseLocale(locale: Locale | null): Promise<void> {
  const chosen = locale ?? detectLocale(null);
  const texts = await loadTexts(chosen);
  // Before the app is mounted again, which shows what is stored.
  storeLocale(locale);
  showLocale(chosen, texts);
}

async function loadTexts(locale: Locale) {
  const load = catalogs[locale];
  const loaded = load
    ? await Promise.all([...neededCatalogs].map(async (name) => (await load[name]()).messages))
    : [];
  const pseudo = isPseudoLocale(locale) ? (await import("./pseudo")).pseudoLocalize : null;
  return { loaded, pseudo };
}

function showLocale(locale: Locale, texts: Awaited<ReturnType<typeof loadTexts>>): void {
  // Another call for the same language may have loaded more than this one.
  if (locale !== activeLocale.get()) clearTranslations(texts.pseudo);
  texts.loaded.forEach(addTranslations);
  // Not awaited: no page begins with an error of the server.
  catalogs[locale]?.server().then(({ messages }) => {
    if (locale === activeLocale.get()) addTranslations(messages);
  }, ignoreFailure);
  document.documentElement.lang = locale;
  document.documentElement.dir = getDirection(locale);
  activeLocale.set(locale);
}

/** Texts that can't be loaded are shown in English. */
function ignoreFailure(): void {}
