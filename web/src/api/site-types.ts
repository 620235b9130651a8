import type { Site, SitePage } from "@/lib/site";
import type { ErrorBody } from "./types";

// The endpoints of the network's identity, until `schema.gen.ts` has them.

export interface SitePageText {
  page: SitePage;
  markdown: string;
  updatedAt: string;
}

/** What an admin can change; null for what is not written or built in. */
export interface SiteSettingsUpdate extends Record<SitePage, string | null> {
  name: string;
  description: string | null;
  contact: string | null;
  accentColor: string | null;
  headline: string;
  tagline: string;
  defaultLanguage: Site["defaultLanguage"];
}

export interface SiteSettings extends Site, Record<SitePage, string | null> {
  /** Of what is saved, to notice that another admin has saved since. */
  version: number;
}

interface JsonResponse<Body> {
  headers: Record<string, unknown>;
  content: { "application/json": Body };
}

interface Operation<Parameters, Body, Responses> {
  parameters: { query?: never; header?: never; cookie?: never } & Parameters;
  requestBody?: Body;
  responses: Responses;
}

interface NoOtherMethods {
  parameters: { query?: never; header?: never; path?: never; cookie?: never };
  get?: never;
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
}

interface Failures {
  409: JsonResponse<ErrorBody>;
  404: JsonResponse<ErrorBody>;
  422: JsonResponse<ErrorBody>;
}

interface WithBody<Body> {
  requestBody: JsonBody<Body>;
}

interface JsonBody<Body> {
  content: { "application/json": Body };
}

export interface SitePaths {
  "/api/site/pages/{page}": Omit<NoOtherMethods, "get"> & {
    get: Operation<
      { path: { page: SitePage } },
      never,
      { 200: JsonResponse<SitePageText> } & Failures
    >;
  };
  "/api/admin/settings": Omit<NoOtherMethods, "get" | "put"> & {
    get: Operation<{ path?: never }, never, { 200: JsonResponse<SiteSettings> } & Failures>;
    put: WithBody<SiteSettingsUpdate & { version: number }> &
      Omit<
        Operation<{ path?: never }, never, { 200: JsonResponse<SiteSettings> } & Failures>,
        "requestBody"
      >;
  };
  "/api/rules/acceptance": Omit<NoOtherMethods, "post"> & {
    post: WithBody<{ version: number }> &
      Omit<
        Operation<
          { path?: never },
          never,
          { 204: { headers: Record<string, unknown>; content?: never } } & Failures
        >,
        "requestBody"
      >;
  };
}
