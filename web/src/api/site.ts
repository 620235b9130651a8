import type { SitePage } from "@/lib/site";
import { site } from "@/lib/site";
import { api, apiQueryOptions } from "./client";
import { queryKeys } from "./query-keys";
import type { SiteSettings } from "./types";

/** What the operator wrote for a page. */
export const sitePageQuery = (page: SitePage) =>
  apiQueryOptions(queryKeys.sitePage(page), () =>
    api.GET("/api/site/pages/{page}", { params: { path: { page } } }),
  );

export const siteSettingsQuery = apiQueryOptions(queryKeys.siteSettings, () =>
  api.GET("/api/admin/settings"),
);

/** Shows the network as an admin has just changed it, on this page. */
export function showSite(settings: SiteSettings): void {
  const { name, description, contact, iconUrl, accentColor } = settings;
  const { headline, tagline, defaultLanguage, rulesVersion, pages } = settings;
  site.set({
    name,
    description,
    contact,
    iconUrl,
    accentColor,
    headline,
    tagline,
    defaultLanguage,
    rulesVersion,
    pages,
  });
}

/** Records that the member agrees to this version of the rules. */
export const acceptRules = (version: number) =>
  api.POST("/api/rules/acceptance", { body: { version } });
