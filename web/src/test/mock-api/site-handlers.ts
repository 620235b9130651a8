import type { SiteSettings, SiteSettingsUpdate } from "@/api/types";
import { defaultSite, getDefaultDescription, type SitePage } from "@/lib/site";
import { getViewer, network } from "./network";
import { hoursAgo } from "./records";
import { errorBody, http, NOT_FOUND } from "./typed-http";

const pages: readonly SitePage[] = ["rules", "terms", "privacy", "imprint"];

/** Replaces the settings: what is absent or null has its default. */
function save(update: SiteSettingsUpdate): SiteSettings {
  const { settings } = network;
  const name = update.name ?? defaultSite.name;
  const rules = update.rules ?? null;
  const announcement = update.announcement ?? null;
  const isNew = announcement !== settings.announcement;
  network.settings = {
    name,
    description: update.description ?? getDefaultDescription(name),
    contact: update.contact ?? null,
    iconUrl: settings.iconUrl,
    accentColor: update.accentColor ?? null,
    headline: update.headline ?? defaultSite.headline,
    tagline: update.tagline ?? defaultSite.tagline,
    defaultLanguage: update.defaultLanguage ?? null,
    rules,
    terms: update.terms ?? null,
    privacy: update.privacy ?? null,
    imprint: update.imprint ?? null,
    pages: pages.filter((page) => typeof update[page] === "string"),
    rulesVersion: settings.rulesVersion + (rules === settings.rules ? 0 : 1),
    registration: update.registration ?? "open",
    invitesPerMonth: update.invitesPerMonth ?? 3,
    inviteDays: update.inviteDays ?? 7,
    announcement,
    announcementVersion: isNew ? settings.announcementVersion + 1 : settings.announcementVersion,
    announcementIsMailed: !isNew && settings.announcementIsMailed,
    newMemberDays: update.newMemberDays ?? 0,
    newMemberPosts: update.newMemberPosts ?? 20,
    newMemberFollows: update.newMemberFollows ?? 50,
    pinnedTopics: update.pinnedTopics ?? settings.pinnedTopics,
    version: settings.version + 1,
  };
  return network.settings;
}

function saveIcon(iconUrl: string | null): SiteSettings {
  const { settings } = network;
  network.settings = { ...settings, iconUrl, version: settings.version + 1 };
  return network.settings;
}

/** The network's identity, its pages and its rules. */
export const siteHandlers = [
  http.get("/api/site/pages/{page}", ({ params, response }) => {
    const page = pages.find((name) => name === params.page);
    const markdown = page && network.settings[page];
    if (!page || !markdown) return response(404).json(NOT_FOUND);
    return response(200).json({ page, markdown, updatedAt: hoursAgo(1) });
  }),
  http.get("/api/admin/settings", ({ response }) => response(200).json(network.settings)),
  http.put("/api/admin/settings", async ({ request, response }) => {
    const update = await request.json();
    if (typeof update.version === "number" && update.version !== network.settings.version) {
      return response(409).json(errorBody("Someone else has changed the settings."));
    }
    return response(200).json(save(update));
  }),
  http.put("/api/admin/settings/icon", ({ response }) =>
    response(200).json(saveIcon("/favicon.svg")),
  ),
  http.delete("/api/admin/settings/icon", ({ response }) => response(200).json(saveIcon(null))),
  http.post("/api/admin/settings/announcement/mails", ({ response }) => {
    network.settings = { ...network.settings, announcementIsMailed: true };
    return response(204).empty();
  }),
  http.post("/api/rules/acceptance", async ({ request, response }) => {
    getViewer().acceptedRulesVersion = (await request.json()).version ?? 0;
    return response(204).empty();
  }),
];
