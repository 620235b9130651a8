import { queryOptions, useQuery } from "@tanstack/react-query";
import { dropDrafts, forgetDrafts } from "@/lib/drafts";
import { isLogoutOwed, oweLogout } from "@/lib/logout-hint";
import { hintedMember, rememberMember } from "@/lib/member-hint";
import { forgetHeights } from "@/lib/row-heights";
import { forgetPlaces } from "@/lib/scroll-start";
import { ToggleQueue } from "@/lib/toggle-queue";
import { api } from "./client";
import { hintBefore } from "./early";
import { hasStatus } from "./error";
import { keys } from "./keys";
import { forgetCalls } from "./member-calls";
import { queryClient } from "./query-client";
import type { Me } from "./types";

/** How long the server is waited for when it is told of a logout. */
const PATIENCE = 5_000;

/** The logged-in member; null when nobody is logged in. */
export const meQuery = queryOptions({ queryKey: keys.me, queryFn: fetchMe });

/** What `meQuery` says. */
export function useMe() {
  return useQuery(meQuery);
}

/** The logged-in member inside the member's part of the app, where there always is one. */
export function useMember(): Me {
  const { data } = useMe();
  if (!data) throw new Error("This screen is for members only.");
  return data;
}

/** For whom the page has asked since it began, before it is known who is logged in. */
const begun = hintBefore("/api/auth/me");
/** Whether that could not be answered at first: what else was asked may have been. */
let isUnsure = false;

async function fetchMe(): Promise<Me | null> {
  if (!(await payLogout())) return null;
  const known = queryClient.getQueryData<Me | null>(keys.me);
  const before = hintBefore("/api/auth/me");
  const me = await askMe();
  const id = me?.id ?? null;
  const hinted = hintedMember();
  // Another tab has logged somebody in or out meanwhile: the answer may be of before.
  if (hinted !== before && hinted !== id) return startAnew();
  rememberMember(id);
  const shown = isUnsure ? begun : known?.id;
  isUnsure = false;
  return typeof shown === "string" && shown !== id ? startAnew() : me;
}

async function askMe(): Promise<Me | null> {
  try {
    return (await api.GET("/api/auth/me")).data ?? null;
  } catch (error) {
    // Neighbours can use up what their address may ask: who never was a member here can still log in.
    const isKnown = hintedMember() !== null || queryClient.getQueryData<Me | null>(keys.me);
    const isStranger = hasStatus(error, 429) && !isKnown;
    if (hasStatus(error, 401) || isStranger) return null;
    isUnsure ||= queryClient.getQueryData(keys.me) === undefined;
    throw error;
  }
}

/** Asks again who is logged in; if that can't be answered now, the next screen asks once more. */
export async function refreshMe(): Promise<void> {
  const fresh = { ...meQuery, staleTime: 0 };
  await queryClient.fetchQuery(fresh).catch(() => undefined);
}

/** Mails a sign-up link to a friend of a member. */
export async function requestMagicLink(email: string, inviteCode: string): Promise<void> {
  await api.POST("/api/auth/request-magic-link", { body: { email, inviteCode } });
}

/** Mails a login link, if the address is a member's. */
export async function requestLoginLink(email: string): Promise<void> {
  await api.POST("/api/auth/request-login-link", { body: { email } });
}

// A login ends the session that was there before at the server: no logout is owed after it, and one
// that was paid later would end the new session.

/** Logs in with the short code of the mail, in the browser that asked for it. */
export async function verifyCode(code: string): Promise<void> {
  await payLogout();
  await api.POST("/api/auth/verify-code", { body: { code } });
  oweLogout(false);
}

/** What a mailed link carries. */
export interface MailedLink {
  token: string;
  invite: string | null;
}

/** Logs in with a mailed link. Where the browser is not the one that asked, 409 `confirm_email`. */
export async function verifyLink({ token, invite }: MailedLink): Promise<void> {
  await payLogout();
  await api.GET("/api/auth/verify", {
    params: { query: invite === null ? { token } : { token, invite } },
  });
  oweLogout(false);
}

/** Logs in with a mailed link and the address it was sent to. */
export async function verifyLinkWithEmail(link: MailedLink, email: string): Promise<void> {
  const { token, invite } = link;
  await payLogout();
  await api.POST("/api/auth/verify", {
    body: { token, email, ...(invite !== null && { invite }) },
  });
  oweLogout(false);
}

/**
 * Forgets everything of the member on this device at once, and ends the session. `isEnded` tells
 * whether that succeeded; a server that can't be reached or fails learns of it with the next visit.
 */
export async function logout(): Promise<{ isEnded: Promise<boolean> }> {
  // Owed until the server has answered: the page may be gone before.
  oweLogout(true);
  const isEnded = endSession();
  let hasEnded = false;
  void isEnded.then((done) => (hasEnded = done));
  await forgetMember();
  // Before, a full storage may have had no room for it.
  if (!hasEnded) oweLogout(true);
  return { isEnded };
}

let ending: Promise<boolean> | undefined;

/** Tells the server of a logout that it missed; false while it can't be reached. */
async function payLogout(): Promise<boolean> {
  return !isLogoutOwed() || endSession();
}

function endSession(): Promise<boolean> {
  ending ??= tellServer().finally(() => {
    ending = undefined;
  });
  return ending;
}

async function tellServer(): Promise<boolean> {
  try {
    // Goes on when the page is left. Given up in the end: some networks never answer.
    const signal = AbortSignal.timeout(PATIENCE);
    await api.POST("/api/auth/logout", { keepalive: true, signal });
  } catch (error) {
    // Whoever has no session any more owes nothing.
    if (!hasStatus(error, 401)) return false;
  }
  oweLogout(false);
  return true;
}

/** Forgets everything of a member who logs out here: drafts, and what was fetched for them. */
export async function forgetMember(): Promise<void> {
  // First the member: other tabs store no draft from then on.
  rememberMember(null);
  forgetDrafts();
  await forgetAnswers();
}

/**
 * Begins again as whoever is logged in now, after this tab's member was replaced elsewhere. What is
 * on the device may be the other member's already, and stays.
 */
export function startAnew(): null {
  dropDrafts();
  location.replace("/");
  void forgetAnswers();
  return null;
}

async function forgetAnswers(): Promise<void> {
  forgetCalls();
  await queryClient.cancelQueries();
  // What watches the member stays subscribed and learns of the end; everything else goes.
  queryClient.setQueryData(keys.me, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] });
  forgetHeights();
  forgetPlaces();
  ToggleQueue.forgetAll();
  // Who watches what is being sent is told at once, and has to be gone with the member by then.
  await new Promise((resolve) => setTimeout(resolve));
  queryClient.getMutationCache().clear();
}
