import { t } from "@lingui/core/macro";
import { perLocale } from "@/lib/i18n/per-locale";

const UNITS = ["KB", "MB", "GB"];
const wholeFormat = perLocale((locale) => createFormat(locale, 0));
const decimalFormat = perLocale((locale) => createFormat(locale, 1));

function createFormat(locale: string, digits: number): Intl.NumberFormat {
  const fractions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, { ...fractions, useGrouping: false });
}

/** A file's length as people say it: "12 bytes", "3.4 MB". */
export function formatBytes(byteCount: number): string {
  let [size, unit] = [byteCount, 0];
  while (size >= 999.5 && unit < UNITS.length) {
    size /= 1_000;
    unit += 1;
  }
  const format = unit > 0 && size < 9.95 ? decimalFormat() : wholeFormat();
  const amount = format.format(size);
  return unit === 0 ? t`${amount} bytes` : `${amount} ${UNITS[unit - 1]}`;
}
