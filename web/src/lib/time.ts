const LOCALE = "en";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: "full", timeStyle: "short" });
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long" });
const monthYear = new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric" });
const thisYear = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" });
const otherYear = new Intl.DateTimeFormat(LOCALE, {
  month: "short",
  day: "numeric",
  year: "numeric",
});
const distance = new Intl.RelativeTimeFormat(LOCALE, { numeric: "always" });

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
  return (sameYear ? thisYear : otherYear).format(time);
}

/** The distance to a moment in words: "in 5 hours", "2 days ago". */
export function relativeTime(iso: string, now: number): string {
  const time = parse(iso);
  if (time === null) return "";
  const difference = time - now;
  const size = Math.abs(difference);
  if (size < MINUTE) return difference < 0 ? "just now" : "in less than a minute";
  if (size < HOUR - MINUTE / 2) return distance.format(Math.round(difference / MINUTE), "minute");
  if (size < DAY - HOUR / 2) return distance.format(Math.round(difference / HOUR), "hour");
  return distance.format(Math.round(difference / DAY), "day");
}

/** The exact moment, for tooltips, in the reader's own time zone. */
export function exactTime(iso: string | null | undefined): string {
  return print(exact, iso);
}

/** A calendar day: "November 28, 2026". */
export function longDate(iso: string | null | undefined): string {
  return print(day, iso);
}

/** The month in which a member joined: "November 2026". */
export function joinMonth(iso: string | null | undefined): string {
  return print(monthYear, iso);
}

function print(format: Intl.DateTimeFormat, iso: string | null | undefined): string {
  const time = parse(iso);
  return time === null ? "" : format.format(time);
}

function parse(iso: string | null | undefined): number | null {
  if (!iso) return null;
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}
