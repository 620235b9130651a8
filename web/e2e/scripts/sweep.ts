import { places } from "./fields";
import type { Step } from "./look";
import { call, done, inTurns, type Sent } from "./people";
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

/** Sends each script in every field where nobody would see it: nothing comes of it. */
export async function sweep(
  member: Session,
  admin: Session,
  scripts: readonly string[],
): Promise<void> {
  const keys = Object.entries(places).flatMap(([key, place]) => (place === "shown" ? [] : [key]));
  const cases = keys.flatMap((key) => scripts.map((text) => ({ key, text })));
  await inTurns(cases, 6, async ({ key, text }) => {
    const at = key.lastIndexOf(" ");
    const [name, asked] = [key.slice(at + 1), key.slice(0, at)];
    const sent = asSent(asked, name, text);
    const answer = await call(asked.includes("/admin/") ? admin : member, asked, sent);
    // Whatever is asked for, nothing fails; what is written is refused.
    const isWritten = !asked.startsWith("GET") && name !== "website";
    if (isWritten && answer.ok) throw new Error(`${key} takes ${text}`);
  });
}

/** Saves each script in every text of the network, where only the name is short. Then the texts are as before. */
export async function nameNetwork(
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
    await done(admin, "PUT /api/admin/settings", { body: { ...lines, ...pages, pinnedTopics } });
    await done(admin, "GET /api/site");
    await done(admin, "GET /api/trending");
  }
  await done(admin, "PUT /api/admin/settings", { body: {} });
}

function asSent(asked: string, name: string, text: string): Sent {
  if (asked.includes(`{${name}}`)) return { path: { [name]: text } };
  if (name === "Idempotency-Key") {
    // A header takes no other signs.
    const key = text.replaceAll(/[^ -~]/g, "");
    return { headers: { [name]: key }, body: { content: "" } };
  }
  const isQuery = asked.startsWith("GET") || asked.includes("/objects/");
  if (isQuery && inQueries.has(name)) return { query: { [name]: text } };
  if (name === "pinnedTopics[].tag") {
    return { body: { pinnedTopics: [{ tag: text, category: "Beds" }] } };
  }
  return { body: name.endsWith("[]") ? { [name.slice(0, -2)]: [text] } : { [name]: text } };
}

/** Every address of the app with a script in each of its parts, reached from within the app. */
export function addresses(text: string): Step[] {
  const part = encodeURIComponent(text);
  const query = new URLSearchParams({ q: text, tab: text, token: text, invite: text, step: text });
  const tag = text.replace(/^[#＃]/, "");
  // A browser shows white space in a title as a space; what looks encoded may be decoded.
  const shownTag = { shows: [`#${tag}`], title: `#${tag} · Kith`.replaceAll(/[\t\n\f\r ]+/g, " ") };
  // A field of one line leaves line breaks out.
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

/** Addresses to open with a script as it is, one kind after the other. */
export const opened: readonly ((text: string) => string)[] = [
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
