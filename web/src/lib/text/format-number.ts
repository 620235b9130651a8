import { perLocale } from "@/lib/i18n/per-locale";

/** A count for badges: "99+" above 99. */
export function formatBadgeCount(count: number): string {
  return count > 99 ? "99+" : String(count);
}

const compactFormat = perLocale(
  (locale) => new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }),
);
const numberFormat = perLocale((locale) => new Intl.NumberFormat(locale));

/** A count in few characters: "999", "1.2K". */
export function formatCompact(count: number): string {
  return count < 1_000 ? String(count) : compactFormat().format(count);
}

/** A count in all its digits: "12,345". */
export function formatNumber(count: number): string {
  return count < 1_000 ? String(count) : numberFormat().format(count);
}
