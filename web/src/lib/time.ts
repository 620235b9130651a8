import { once } from "./once";

const LOCALE = "en";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat(LOCALE, options));
const day = dateFormat({ dateStyle: "long" });
const monthYear = dateFormat({ month: "long", year: "numeric" });
const thisYear = dateFormat({ month: "short", day: "numeric" });
const otherYear = dateFormat({ month: "short", day: "numeric", year: "numeric" });
const distance = once(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: "always" }));

/** A post's age in the fewest characters: "just now", "5m", "3h", "2d", then the date. */
export function shortAge(iso: string | null | undefined, now: number): string {
  const time = parse(iso);
  if (time === null) return "just now";
  const age = now - time;
  if (age < MINUTE) return "just now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
  if (age < DAY) return `${Math.floor(age / HOUR)}h`;
  if (age < 7 * DAY) return `${Math.floor(age / DAY)}d`;
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? thisYear() : otherYear()).format(time);
}

/** The distance to a moment in words: "in 5 hours", "2 days ago". */
export function relativeTime(iso: string, now: number): string {
  const time = parse(iso);
  if (time === null) return "";
  const difference = time - now;
  const size = Math.abs(difference);
  if (size < MINUTE) return difference < 0 ? "just now" : "in less than a minute";
  if (size < HOUR - MINUTE / 2) return distance().format(Math.round(difference / MINUTE), "minute");
  if (size < DAY - HOUR / 2) return distance().format(Math.round(difference / HOUR), "hour");
  return distance().format(Math.round(difference / DAY), "day");
}

const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/**
 * The exact moment, for tooltips, in the reader's own time zone: "Saturday, November 21, 2026 at
 * 5:04 PM". Every post has one, and making a formatter costs a slow phone 75 ms.
 */
export function exactTime(iso: string | null | undefined): string {
  const time = parse(iso);
  if (time === null) return "";
  const date = new Date(time);
  const calendar = `${DAYS[date.getDay()]}, ${MONTHS[date.getMonth()]} ${date.getDate()}`;
  const hours = date.getHours();
  const minutes = String(date.getMinutes()).padStart(2, "0");
  return `${calendar}, ${date.getFullYear()} at ${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
}

/** A calendar day: "November 28, 2026". */
export function longDate(iso: string | null | undefined): string {
  return print(day, iso);
}

/** The month in which a member joined: "November 2026". */
export function joinMonth(iso: string | null | undefined): string {
  return print(monthYear, iso);
}

function print(format: () => Intl.DateTimeFormat, iso: string | null | undefined): string {
  const time = parse(iso);
  return time === null ? "" : format().format(time);
}

function parse(iso: string | null | undefined): number | null {
  if (!iso) return null;
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}
