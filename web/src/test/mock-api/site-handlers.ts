import type { SiteSettings, SiteSettingsUpdate } from "@/api/site-types";
import { getDefaultDescription, type SitePage } from "@/lib/site";
import { getViewer, network } from "./network";
import { hoursAgo } from "./records";
import { errorBody, http, NOT_FOUND } from "./typed-http";

const pages: readonly SitePage[] = ["rules", "terms", "privacy", "imprint"];

function save(update: SiteSettingsUpdate): SiteSettings {
  const { settings } = network;
  network.settings = {
    ...settings,
    ...update,
    description: update.description ?? getDefaultDescription(update.name),
    pages: pages.filter((page) => update[page] !== null),
    rulesVersion: settings.rulesVersion + (update.rules === settings.rules ? 0 : 1),
    version: settings.version + 1,
  };
  return network.settings;
}

/** The network's identity, its pages and its rules. */
export const siteHandlers = [
  http.get("/api/site/pages/{page}", ({ params: { page }, response }) => {
    const markdown = network.settings[page];
    if (markdown === null) return response(404).json(NOT_FOUND);
    return response(200).json({ page, markdown, updatedAt: hoursAgo(1) });
  }),
  http.get("/api/admin/settings", ({ response }) => response(200).json(network.settings)),
  http.put("/api/admin/settings", async ({ request, response }) => {
    const update = await request.json();
    if (update.version !== network.settings.version) {
      return response(409).json(errorBody("Another admin has changed the settings."));
    }
    return response(200).json(save(update));
  }),
  http.post("/api/rules/acceptance", async ({ request, response }) => {
    getViewer().acceptedRulesVersion = (await request.json()).version;
    return response(204).empty();
  }),
];
