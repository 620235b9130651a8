import { getDefaultDescription } from "@/lib/site";
import type { SiteSettings, SiteSettingsUpdate } from "@/api/site-types";

/** The texts in the form; an empty one is null for the server where that means built in or not written. */
export type SettingsValues = Record<keyof SiteSettingsUpdate, string>;

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
  };
}

const orNull = (text: string) => text.trim() || null;

/** What is sent for the texts in the form, when the network had the name `savedName` before. */
export function toUpdate(values: SettingsValues, savedName: string): SiteSettingsUpdate {
  const { defaultLanguage } = values;
  return {
    name: values.name.trim(),
    // The built-in description has the network's name in it, which may change now.
    description:
      values.description === getDefaultDescription(savedName) ? null : orNull(values.description),
    contact: orNull(values.contact),
    accentColor: orNull(values.accentColor)?.toLowerCase() ?? null,
    headline: values.headline.trim(),
    tagline: values.tagline.trim(),
    defaultLanguage: defaultLanguage === "en" || defaultLanguage === "de" ? defaultLanguage : null,
    rules: orNull(values.rules),
    terms: orNull(values.terms),
    privacy: orNull(values.privacy),
    imprint: orNull(values.imprint),
  };
}

/** The texts that differ from what is saved. */
export function getChanges(saved: SettingsValues, values: SettingsValues): Partial<SettingsValues> {
  const entries = Object.entries(values) as [keyof SettingsValues, string][];
  return Object.fromEntries(entries.filter(([name, text]) => text !== saved[name]));
}
