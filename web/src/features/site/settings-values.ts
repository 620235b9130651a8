import { t } from "@lingui/core/macro";
import type { SiteSettings, SiteSettingsUpdate } from "@/api/types";
import type { FieldProblem } from "@/components/use-server-form";
import { defaultSite, getDefaultDescription } from "@/lib/site";
import { countGraphemes } from "@/lib/text/graphemes";

// As on the server: characters of the texts of one line and of an announcement, and code points of a page.
const MAX_NAME_LENGTH = 50;
export const MAX_LINE_LENGTH = 300;
export const MAX_ANNOUNCEMENT_LENGTH = 500;
export const MAX_PAGE_LENGTH = 20_000;

/** The texts in the form. */
export type SettingsValues = Record<Exclude<keyof SiteSettingsUpdate, "version">, string>;

/** The fields of the form for what is saved. */
export function toValues(settings: SiteSettings): SettingsValues {
  return {
    name: settings.name,
    description: settings.description,
    contact: settings.contact ?? "",
    accentColor: settings.accentColor ?? "",
    headline: settings.headline,
    tagline: settings.tagline,
    defaultLanguage: settings.defaultLanguage ?? "",
    rules: settings.rules ?? "",
    terms: settings.terms ?? "",
    privacy: settings.privacy ?? "",
    imprint: settings.imprint ?? "",
    announcement: settings.announcement ?? "",
    registration: settings.registration,
    invitesPerMonth: String(settings.invitesPerMonth),
    inviteDays: String(settings.inviteDays),
    newMemberDays: String(settings.newMemberDays),
    newMemberPosts: String(settings.newMemberPosts),
    newMemberFollows: String(settings.newMemberFollows),
    pinnedTopics: settings.pinnedTopics
      .map(({ tag, category }) => `${tag}: ${category}`)
      .join("\n"),
  };
}

/** Null for the default, which the server then does not store: a translated text stays translated. */
function orNull(text: string, builtIn = ""): string | null {
  const trimmed = text.trim();
  return trimmed === builtIn || trimmed === "" ? null : trimmed;
}

/** The built-in description with the name that is in the form. */
const getBuiltInDescription = ({ name }: SettingsValues) =>
  getDefaultDescription(name.trim() || defaultSite.name);

/** The texts to show: what is saved with the changes. A built-in description follows the name. */
export function applyChanges(
  saved: SettingsValues,
  changes: Partial<SettingsValues>,
): SettingsValues {
  const values = { ...saved, ...changes };
  const isBuiltIn =
    changes.description === undefined && saved.description === getBuiltInDescription(saved);
  return isBuiltIn ? { ...values, description: getBuiltInDescription(values) } : values;
}

/** The changes after the texts `shown` became `next`. */
export function getChanges(
  saved: SettingsValues,
  shown: SettingsValues,
  next: SettingsValues,
): Partial<SettingsValues> {
  const { description } = applyChanges(saved, { name: shown.name });
  const unchanged = { ...saved, description };
  const entries = Object.entries(next) as [keyof SettingsValues, string][];
  return Object.fromEntries(entries.filter(([name, text]) => text !== unchanged[name]));
}

const numbers = [
  "invitesPerMonth",
  "inviteDays",
  "newMemberDays",
  "newMemberPosts",
  "newMemberFollows",
] as const;

const orNumber = (text: string): number | null => (text.trim() === "" ? null : Number(text));

/** The topics in the lines of a text, such as `WebDev: Technology`. */
function parseTopics(text: string) {
  const topics = text.split("\n").filter((line) => line.trim() !== "");
  return topics.map((line) => {
    const [tag = "", ...rest] = line.split(":");
    return { tag: tag.trim(), category: rest.join(":").trim() };
  });
}

/** What is sent for the texts in the form. */
export function toUpdate(values: SettingsValues): SiteSettingsUpdate {
  const { defaultLanguage } = values;
  return {
    name: orNull(values.name, defaultSite.name),
    description: orNull(values.description, getBuiltInDescription(values)),
    contact: orNull(values.contact),
    accentColor: orNull(values.accentColor)?.toLowerCase() ?? null,
    headline: orNull(values.headline, defaultSite.headline),
    tagline: orNull(values.tagline, defaultSite.tagline),
    defaultLanguage: defaultLanguage === "en" || defaultLanguage === "de" ? defaultLanguage : null,
    rules: orNull(values.rules),
    terms: orNull(values.terms),
    privacy: orNull(values.privacy),
    imprint: orNull(values.imprint),
    announcement: orNull(values.announcement),
    registration: values.registration === "closed" ? "closed" : "open",
    invitesPerMonth: orNumber(values.invitesPerMonth),
    inviteDays: orNumber(values.inviteDays),
    newMemberDays: orNumber(values.newMemberDays),
    newMemberPosts: orNumber(values.newMemberPosts),
    newMemberFollows: orNumber(values.newMemberFollows),
    pinnedTopics: parseTopics(values.pinnedTopics),
  };
}

/** The code points of a page, which are what the server counts there. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const lines = ["description", "headline", "tagline"] as const;
const pages = ["rules", "terms", "privacy", "imprint"] as const;

/** Finds the first text that cannot be saved: it is too long, or no number. */
export function findProblem(values: SettingsValues): FieldProblem<keyof SettingsValues> | null {
  const title = t`Text too long`;
  if (countGraphemes(values.name.trim()) > MAX_NAME_LENGTH) {
    return { field: "name", title, text: t`A name can have at most 50 characters.` };
  }
  const line = lines.find((field) => countGraphemes(values[field].trim()) > MAX_LINE_LENGTH);
  if (line) {
    return { field: line, title, text: t`This text can have at most 300 characters.` };
  }
  if (countGraphemes(values.announcement.trim()) > MAX_ANNOUNCEMENT_LENGTH) {
    const text = t`An announcement can have at most 500 characters.`;
    return { field: "announcement", title, text };
  }
  const number = numbers.find((field) => !/^\s*\d{0,6}\s*$/.test(values[field]));
  if (number) {
    return { field: number, title: t`Not a number`, text: t`Please enter a whole number.` };
  }
  const page = pages.find((field) => countCodePoints(values[field].trim()) > MAX_PAGE_LENGTH);
  return page ? { field: page, title, text: t`A page can have at most 20,000 characters.` } : null;
}
