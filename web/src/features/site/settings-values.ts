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

/** What is sent for the texts in the form. */
export function toUpdate(values: SettingsValues): SiteSettingsUpdate {
  const { defaultLanguage } = values;
  return {
    name: values.name.trim(),
    description: values.description.trim(),
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
