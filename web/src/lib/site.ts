import { createStore } from "./state/store";

/** The pages that the operator may write. */
export type SitePage = "rules" | "terms" | "privacy" | "imprint";

/** The network's name and texts, set by the operator; the body of `GET /api/site`. */
export interface Site {
  name: string;
  description: string;
  /** An email or an https URL. */
  contact: string | null;
  iconUrl: string | null;
  /** Such as `#d24a1a`; null for the built-in one. */
  accentColor: string | null;
  headline: string;
  tagline: string;
  /** For browsers that ask for no language of the app; null for English. */
  defaultLanguage: "en" | "de" | null;
  /** Counts the changes of the rules; 0 without rules. */
  rulesVersion: number;
  /** The pages that the operator wrote. */
  pages: SitePage[];
  /** Closed: only invite codes of the operator work. */
  registration: "open" | "closed";
  invitesPerMonth: number;
  /** For how many days an invite works. */
  inviteDays: number;
}

/** The identity of a network whose operator has changed nothing. */
export const defaultSite: Site = {
  name: "Kith",
  description:
    "The human network. Real voices. Real connections. No bots. Kith is an invite-only social network for short posts.",
  contact: null,
  iconUrl: null,
  accentColor: null,
  headline: "The human network",
  tagline: "Real voices. Real connections. No bots.",
  defaultLanguage: null,
  rulesVersion: 0,
  pages: [],
  registration: "open",
  invitesPerMonth: 3,
  inviteDays: 7,
};

/** The built-in description of a network with this name. */
export const getDefaultDescription = (name: string) =>
  defaultSite.description.replace(defaultSite.name, () => name);

/** Reads the identity that the server writes into each page; the default where there is none or it is broken. */
export function parseSite(json: string | null | undefined): Site {
  try {
    return { ...defaultSite, ...(JSON.parse(json ?? "{}") as Partial<Site>) };
  } catch {
    return defaultSite;
  }
}

/** The network's identity. An admin's change replaces it until the next page load. */
export const site = createStore(
  parseSite(globalThis.document?.querySelector("#site")?.textContent),
);

export const getSiteName = () => site.get().name;

/** The contact as a link: an email becomes a `mailto:` URL. */
export function getContactUrl(contact: string): string {
  return /^https?:\/\//i.test(contact) ? contact : `mailto:${contact}`;
}
