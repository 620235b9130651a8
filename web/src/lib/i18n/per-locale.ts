import { getIntlLocale } from "./locale";

/**
 * A formatter of `Intl` for the active language, made when it is first needed: the first one of a page
 * costs a slow phone 60 ms, each later one a few.
 */
export function perLocale<Formatter>(create: (locale: string) => Formatter): () => Formatter {
  let cached: { locale: string; formatter: Formatter } | undefined;
  return () => {
    const locale = getIntlLocale();
    if (cached?.locale !== locale) cached = { locale, formatter: create(locale) };
    return cached.formatter;
  };
}
