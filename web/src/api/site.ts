import type { SitePage } from "@/lib/site";
import { site } from "@/lib/site";
import { api, apiQueryOptions, unwrap } from "./client";
import { queryClient } from "./query-client";
import { queryKeys } from "./query-keys";
import type { SiteSettings } from "./types";

/** The operator's text of a page. */
export const sitePageQuery = (page: SitePage) =>
  apiQueryOptions(queryKeys.sitePage(page), () =>
    api.GET("/api/site/pages/{page}", { params: { path: { page } } }),
  );

export const siteSettingsQuery = apiQueryOptions(queryKeys.siteSettings, () =>
  api.GET("/api/admin/settings"),
);

/** Sets the network's icon to an uploaded image. */
export const setIcon = async (imageURL: string): Promise<SiteSettings> =>
  unwrap(await api.PUT("/api/admin/settings/icon", { body: { imageURL } }));

/** Restores the built-in icon. */
export const removeIcon = async (): Promise<SiteSettings> =>
  unwrap(await api.DELETE("/api/admin/settings/icon"));

/** Keeps what an admin has just changed, and shows the network so on this page. */
export function showSettings(settings: SiteSettings): void {
  queryClient.setQueryData(queryKeys.siteSettings, settings);
  void queryClient.invalidateQueries({ queryKey: queryKeys.sitePages });

  const { name, description, contact, iconUrl, accentColor } = settings;
  const { headline, tagline, defaultLanguage, rulesVersion, pages } = settings;
  const { registration, invitesPerMonth, inviteDays } = settings;
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
    registration,
    invitesPerMonth,
    inviteDays,
  });
}

/** Records that the member agrees to this version of the rules. */
export const acceptRules = (version: number) =>
  api.POST("/api/rules/acceptance", { body: { version } });
