import { fieldUses } from "./fields";
import type { Step } from "./page-checker-types";
import { sendRequest, requestJson, mapConcurrently, type Sent } from "./requests";
import type { Session } from "./session";

const inQueries = new Set([
  "q",
  "u",
  "cursor",
  "query",
  "invitedBy",
  "token",
  "invite",
  "signature",
]);

/** Sends each payload in every field that is never shown, and expects errors or no results. */
export async function sendToUnshownFields(
  member: Session,
  admin: Session,
  scripts: readonly string[],
): Promise<void> {
  const keys = Object.entries(fieldUses).flatMap(([key, use]) => (use === "shown" ? [] : [key]));
  const cases = keys.flatMap((key) => scripts.map((text) => ({ key, text })));
  await mapConcurrently(cases, 6, async ({ key, text }) => {
    const at = key.lastIndexOf(" ");
    const [name, endpoint] = [key.slice(at + 1), key.slice(0, at)];
    const sent = makeRequest(endpoint, name, text);
    const response = await sendRequest(
      endpoint.includes("/admin/") ? admin : member,
      endpoint,
      sent,
    );
    // Reads may succeed; writes must be rejected.
    const isWritten = !endpoint.startsWith("GET") && !maySave(name, text);
    if (isWritten && response.ok) throw new Error(`${key} accepts ${text}`);
  });
}

/** Whether a field may save a payload that is a URL with a script in its query, or a hashtag such as __proto__. */
function maySave(name: string, text: string): boolean {
  return (
    name === "website" ||
    (name === "contact" && /^https:\/\//i.test(text.trim())) ||
    (name === "pinnedTopics[].tag" && /^#?[\p{L}\p{M}\p{N}_]+$/u.test(text.trim()))
  );
}

/** Saves each payload in every text of the site settings, then resets them. */
export async function saveSiteTexts(
  admin: Session,
  scripts: readonly string[],
  names: readonly string[],
): Promise<void> {
  for (const [at, text] of scripts.entries()) {
    const lines = {
      name: names[at],
      description: text,
      headline: text,
      tagline: text,
      announcement: text,
    };
    const pages = { rules: text, terms: text, privacy: text, imprint: text };
    const pinnedTopics = [{ tag: "Roses", category: Array.from(text).slice(0, 40).join("") }];
    await requestJson(admin, "PUT /api/admin/settings", {
      body: { ...lines, ...pages, pinnedTopics },
    });
    await requestJson(admin, "GET /api/site");
    await requestJson(admin, "GET /api/trending");
  }
  await requestJson(admin, "PUT /api/admin/settings", { body: {} });
}

function makeRequest(endpoint: string, name: string, text: string): Sent {
  if (endpoint.includes(`{${name}}`)) return { path: { [name]: text } };
  if (name === "Idempotency-Key") {
    // Headers contain ASCII only.
    const key = text.replaceAll(/[^ -~]/g, "");
    return { headers: { [name]: key }, body: { content: "" } };
  }
  const isQuery = endpoint.startsWith("GET") || endpoint.includes("/objects/");
  if (isQuery && inQueries.has(name)) return { query: { [name]: text } };
  if (name === "pinnedTopics[].tag") {
    return { body: { pinnedTopics: [{ tag: text, category: "Beds" }] } };
  }
  return { body: name.endsWith("[]") ? { [name.slice(0, -2)]: [text] } : { [name]: text } };
}

/** Every path of the app with a payload in each part, for navigation within the app. */
export function getScriptPaths(text: string): Step[] {
  const part = encodeURIComponent(text);
  const query = new URLSearchParams({ q: text, tab: text, token: text, invite: text, step: text });
  const tag = text.replace(/^[#＃]/, "");
  // Browsers collapse white space in a title; percent signs may be decoded.
  const shownTag = { shows: [`#${tag}`], title: `#${tag} · Kith`.replaceAll(/[\t\n\f\r ]+/g, " ") };
  // A single-line field removes line breaks.
  const line = text.trim().replaceAll(/[\r\n]/g, "");
  return [
    { path: `/profile/${part}/followers` },
    { path: `/profile/${part}` },
    { path: `/profile/${part}/following?${query}` },
    { path: `/post/${part}` },
    { path: `/tag/${part}`, ...(text.includes("%") ? {} : shownTag) },
    { path: `/discover?${query}`, values: [line] },
    { path: `/${part}/${part}?${query}#${part}` },
    { path: `/?${query}` },
    { path: `/auth/verify?${query}` },
    { path: `/account/confirm?${query}#${part}` },
    { path: `/notice?${query}#${part}` },
  ];
}

/** URLs to open with an unencoded payload. */
export const scriptUrls: readonly ((text: string) => string)[] = [
  (text) => `/${text}`,
  (text) => `/profile/${text}`,
  (text) => `/post/${text}?tab=${text}`,
  (text) => `/tag/${text}#${text}`,
  (text) => `/discover?q=${text}`,
  (text) => `/profile/founder/${text}`,
  (text) => `/auth/verify?token=${text}&invite=${text}`,
  (text) => `/notice#${text}`,
  (text) => `/account/confirm?step=${text}&token=${text}`,
  (text) => `/?login=${text}#${text}`,
  (text) => `/settings?tab=${text}`,
  (text) => `/admin?tab=${text}`,
  (text) => `/api/users/${text}`,
  (text) => `/api/hashtags/${text}/posts`,
  (text) => `/api/${text}?${text}`,
  (text) => `/assets/${text}`,
  (text) => `/images/${text}`,
];
