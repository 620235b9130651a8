import { t } from "@lingui/core/macro";
import { perLocale } from "@/lib/i18n/per-locale";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relativeTimeFormat = perLocale(
  (locale) => new Intl.RelativeTimeFormat(locale, { numeric: "always" }),
);
const shortDayFormat = dateFormat({ month: "short", day: "numeric" });
const shortDateFormat = dateFormat({ month: "short", day: "numeric", year: "numeric" });
const dateTimeFormat = dateFormat({ dateStyle: "full", timeStyle: "short" });
const longDateFormat = dateFormat({ dateStyle: "long" });
const monthFormat = dateFormat({ month: "long", year: "numeric" });

function dateFormat(options: Intl.DateTimeFormatOptions) {
  return perLocale((locale) => new Intl.DateTimeFormat(locale, options));
}

type IsoTime = string | null | undefined;

/** A post's age in the fewest characters: "just now", "5m", "3h", "2d", then the date. */
export function formatRelativeShort(iso: IsoTime, now: number): string {
  const date = parseDate(iso);
  if (!date) return t`just now`;
  const age = now - date.getTime();
  if (age < MINUTE) return t`just now`;
  const minutes = Math.floor(age / MINUTE);
  const hours = Math.floor(age / HOUR);
  const days = Math.floor(age / DAY);
  if (age < HOUR) return t`${minutes}m`;
  if (age < DAY) return t`${hours}h`;
  if (age < 7 * DAY) return t`${days}d`;
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? shortDayFormat() : shortDateFormat()).format(date);
}

/** The distance to a moment in words: "in 5 hours", "2 days ago". */
export function formatRelative(iso: string, now: number): string {
  const difference = Date.parse(iso) - now;
  const size = Math.abs(difference);
  if (Number.isNaN(size)) return "";
  if (size < MINUTE) return difference < 0 ? t`just now` : t`in less than a minute`;
  if (size < HOUR - MINUTE / 2)
    return relativeTimeFormat().format(Math.round(difference / MINUTE), "minute");
  if (size < DAY - HOUR / 2)
    return relativeTimeFormat().format(Math.round(difference / HOUR), "hour");
  return relativeTimeFormat().format(Math.round(difference / DAY), "day");
}

/** The exact moment in the reader's own time zone: "Saturday, November 21, 2026 at 5:04 PM". */
export function formatDateTime(iso: IsoTime): string {
  const date = parseDate(iso);
  // Browsers differ in the space before "PM", and some fonts lack the narrow one.
  return date ? dateTimeFormat().format(date).replace("\u202f", " ") : "";
}

/** A calendar day: "November 28, 2026". */
export function formatDate(iso: IsoTime): string {
  const date = parseDate(iso);
  return date ? longDateFormat().format(date) : "";
}

/** The month in which a member joined: "November 2026". */
export function formatMonthYear(iso: IsoTime): string {
  const date = parseDate(iso);
  return date ? monthFormat().format(date) : "";
}

function parseDate(iso: IsoTime): Date | null {
  const date = new Date(iso ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
