import { lazy } from "@/lib/state/lazy";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// Dates are not written by `Intl`: every post has some, and making a formatter costs a slow phone 75 ms.
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const relativeTimeFormat = lazy(() => new Intl.RelativeTimeFormat("en", { numeric: "always" }));

type IsoTime = string | null | undefined;

/** A post's age in the fewest characters: "just now", "5m", "3h", "2d", then the date. */
export function formatRelativeShort(iso: IsoTime, now: number): string {
  const date = parseDate(iso);
  if (!date) return "just now";
  const age = now - date.getTime();
  if (age < MINUTE) return "just now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
  if (age < DAY) return `${Math.floor(age / HOUR)}h`;
  if (age < 7 * DAY) return `${Math.floor(age / DAY)}d`;
  const day = `${MONTHS[date.getMonth()]?.slice(0, 3)} ${date.getDate()}`;
  const year = date.getFullYear();
  return year === new Date(now).getFullYear() ? day : `${day}, ${year}`;
}

/** The distance to a moment in words: "in 5 hours", "2 days ago". */
export function formatRelative(iso: string, now: number): string {
  const difference = Date.parse(iso) - now;
  const size = Math.abs(difference);
  if (Number.isNaN(size)) return "";
  if (size < MINUTE) return difference < 0 ? "just now" : "in less than a minute";
  if (size < HOUR - MINUTE / 2)
    return relativeTimeFormat().format(Math.round(difference / MINUTE), "minute");
  if (size < DAY - HOUR / 2)
    return relativeTimeFormat().format(Math.round(difference / HOUR), "hour");
  return relativeTimeFormat().format(Math.round(difference / DAY), "day");
}

/** The exact moment in the reader's own time zone: "Saturday, November 21, 2026 at 5:04 PM". */
export function formatDateTime(iso: IsoTime): string {
  const date = parseDate(iso);
  if (!date) return "";
  const hours = date.getHours();
  const minutes = String(date.getMinutes()).padStart(2, "0");
  const clock = `${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
  return `${DAYS[date.getDay()]}, ${formatDate(iso)} at ${clock}`;
}

/** A calendar day: "November 28, 2026". */
export function formatDate(iso: IsoTime): string {
  const date = parseDate(iso);
  return date ? `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}` : "";
}

/** The month in which a member joined: "November 2026". */
export function formatMonthYear(iso: IsoTime): string {
  const date = parseDate(iso);
  return date ? `${MONTHS[date.getMonth()]} ${date.getFullYear()}` : "";
}

function parseDate(iso: IsoTime): Date | null {
  const date = new Date(iso ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
