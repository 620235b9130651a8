import { queryOptions, useQuery } from "@tanstack/react-query";
import { clearAllDrafts } from "@/lib/storage/draft-storage";
import { reloadForNewSession } from "@/lib/navigation/leave-page";
import {
  getHintedUserId,
  hasPendingLogout,
  onHintedUserIdChange,
  setPendingLogout,
  setHintedUserId,
} from "@/lib/storage/session-hint";
import { sessionEndReason } from "./session-end";
import { toastError } from "@/lib/state/toast";
import { api } from "./client";
import { hintBefore } from "./early";
import { type ApiError, hasStatus } from "./error";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { Me } from "./types";

/** How long the server is waited for when it is told of a logout. */
const PATIENCE = 5_000;
const GOES_ON =
  "You're logged out on this device, but we couldn't reach Kith to end the session. We'll do that the next time you open Kith here. To end it now, log out this device from another one.";

/** The logged-in member; null when nobody is logged in. */
export const meQuery = queryOptions({ queryKey: keys.me, queryFn: fetchMe });

export const useMe = () => useQuery(meQuery);

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
  if (!(await payLogout())) {
    toastError(GOES_ON, "Failed to logout");
    return null;
  }
  const known = queryClient.getQueryData<Me | null>(keys.me);
  const before = hintBefore("/api/auth/me");
  const me = await askMe();
  const id = me?.id ?? null;
  const hinted = getHintedUserId();
  const shown = isUnsure ? begun : known?.id;
  // Another tab has logged a member in or out meanwhile: the response may be older.
  const isOld = hinted !== before && hinted !== id;
  if (!isOld) setHintedUserId(id);
  isUnsure = false;
  if (isOld || (typeof shown === "string" && shown !== id)) {
    reloadForNewSession();
    return null;
  }
  return me;
}

async function askMe(): Promise<Me | null> {
  try {
    const me = (await api.GET("/api/auth/me")).data ?? null;
    sessionEndReason.set(null);
    return me;
  } catch (error) {
    if (hasStatus(error, 401)) sessionEndReason.set(endOf(error));
    // Neighbours can use up what their address may ask: who never was a member here can still log in.
    const isKnown = getHintedUserId() !== null || queryClient.getQueryData<Me | null>(keys.me);
    const isStranger = hasStatus(error, 429) && !isKnown;
    if (hasStatus(error, 401) || isStranger) return null;
    isUnsure ||= queryClient.getQueryData(keys.me) === undefined;
    throw error;
  }
}

/** The server's sentence about why a session ended, if it was ended from elsewhere. */
function endOf({ code, sentence }: ApiError): string | null {
  return code === "session_ended" || code === "suspended" ? (sentence ?? null) : null;
}

/** Asks again who is logged in; if that can't be answered now, the next screen asks once more. */
export async function refreshMe(): Promise<Me | null | undefined> {
  const fresh = { ...meQuery, staleTime: 0 };
  return queryClient.fetchQuery(fresh).catch(() => undefined);
}

export interface MailedLink {
  token: string;
  invite?: string;
}

/** Logs in with the short code of the mail, in the browser that requested it. */
export const verifyCode = (code: string) =>
  logIn(() => api.POST("/api/auth/verify-code", { body: { code } }));

/** Logs in with a mailed link. Where another browser requested it, 409 `confirm_email` asks for the email. */
export const verifyLink = (link: MailedLink, email?: string) =>
  logIn(() =>
    email === undefined
      ? api.GET("/api/auth/verify", { params: { query: link } })
      : api.POST("/api/auth/verify", { body: { ...link, email } }),
  );

/**
 * A login ends the session that was there before at the server: no logout is owed after it, and one that
 * was paid later would end the new session.
 */
async function logIn(send: () => Promise<unknown>): Promise<void> {
  await payLogout();
  await send();
  setPendingLogout(false);
}

/** Deletes what this device has of the member; the next page, or the next visit, ends the session. */
export async function logout(): Promise<void> {
  setPendingLogout(true);
  forgetMember();
  // Before the drafts went, a full storage may have had no room for it.
  setPendingLogout(true);
  // Without a storage the next page would not know.
  if (!hasPendingLogout() && !(await endSession())) throw new Error("The session goes on.");
  reloadForNewSession();
}

/** Ends all my sessions and deletes what this device has of me, also where this session is over already. */
export async function endAllDevices(): Promise<void> {
  try {
    await api.DELETE("/api/auth/sessions");
  } catch (error) {
    if (hasStatus(error, 401)) forgetMember();
    throw error;
  }
  forgetMember();
}

/** Deletes what this device has of the member, and tells the other tabs, which start again. */
function forgetMember(): void {
  // First the member: no tab stores a draft from then on.
  setHintedUserId(null);
  clearAllDrafts();
}

/** Starts again when another tab logs the member of this one out, or another member in. */
export function followOtherTabs(): void {
  onHintedUserIdChange(checkMember);
  // A page that the browser kept was told nothing.
  addEventListener("pageshow", ({ persisted }) => persisted && checkMember(getHintedUserId()));
}

function checkMember(id: string | null | undefined): void {
  const shown = queryClient.getQueryData<Me | null>(keys.me);
  if (shown && id !== undefined && id !== shown.id) reloadForNewSession();
}

let ending: Promise<boolean> | undefined;

/** Ends a session whose logout the server missed; false while it can't be reached. */
const payLogout = async () => !hasPendingLogout() || endSession();

function endSession(): Promise<boolean> {
  // Given up in the end: some networks never answer.
  const options = { keepalive: true, signal: AbortSignal.timeout(PATIENCE) };
  ending ??= api
    .POST("/api/auth/logout", options)
    // Where there is no session any more, none needs to end.
    .then(
      () => true,
      (error) => hasStatus(error, 401),
    )
    .then((isEnded) => {
      ending = undefined;
      if (isEnded) setPendingLogout(false);
      return isEnded;
    });
  return ending;
}
