import { t } from "@lingui/core/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { deleteOfflineData } from "@/lib/offline/worker-client";
import { clearAllDrafts } from "@/lib/storage/draft-storage";
import { reloadForNewSession } from "@/lib/navigation/leave-page";
import { hasPendingLogout, setPendingLogout } from "@/lib/storage/pending-logout";
import { getHintedUserId, onHintedUserIdChange, setHintedUserId } from "@/lib/storage/session-hint";
import { sessionEndReason } from "./session-end";
import { toastError } from "@/lib/state/toast";
import { getSiteName } from "@/lib/site";
import { api } from "./client";
import { getUserHintAtRequest } from "./preloaded-requests";
import { type ApiError, getLoginErrorMessage, hasStatus } from "./api-error";
import { queryKeys } from "./query-keys";
import { queryClient } from "./query-client";
import type { Me } from "./types";

/** The timeout of the logout request. */
const LOGOUT_TIMEOUT_MS = 5_000;

/** The logged-in member; null for a visitor. */
export const currentUserQuery = queryOptions({
  queryKey: queryKeys.currentUser,
  queryFn: fetchCurrentUser,
});

export const useSession = () => useQuery(currentUserQuery);

/** The logged-in member inside the member's part of the app, where there always is one. */
export function useCurrentUser(): Me {
  const { data } = useSession();
  if (!data) throw new Error("This screen is for members only.");
  return data;
}

/** The user id that the page assumed for its first requests, before the server named the current user. */
const userHintAtPageLoad = getUserHintAtRequest("/api/auth/me");
/** Whether the first request for the current user failed, so that others may have been answered for another user. */
let isIdentityUncertain = false;

async function fetchCurrentUser(): Promise<Me | null> {
  if (!(await sendPendingLogout())) {
    toastError(
      t`You're logged out on this device, but we couldn't reach ${{ siteName: getSiteName() }} to end the session. We'll do that the next time you open ${{ siteName: getSiteName() }} here. To end it now, log out this device from another one.`,
      t`Failed to logout`,
    );
    return null;
  }
  const cached = queryClient.getQueryData<Me | null>(queryKeys.currentUser);
  const hintAtRequest = getUserHintAtRequest("/api/auth/me");
  const currentUser = await requestCurrentUser();
  const id = currentUser?.id ?? null;
  const hintedId = getHintedUserId();
  const shownId = isIdentityUncertain ? userHintAtPageLoad : cached?.id;
  // Another tab has logged a member in or out meanwhile: the response may be older.
  const isOutdated = hintedId !== hintAtRequest && hintedId !== id;
  // Cached images may be another member's; pending shares stay for the next login.
  if (id === null || id !== hintedId) void deleteOfflineData("images");
  if (!isOutdated) setHintedUserId(id);
  isIdentityUncertain = false;
  if (isOutdated || (typeof shownId === "string" && shownId !== id)) {
    reloadForNewSession();
    return null;
  }
  return currentUser;
}

async function requestCurrentUser(): Promise<Me | null> {
  try {
    const currentUser = (await api.GET("/api/auth/me")).data ?? null;
    sessionEndReason.set(null);
    return currentUser;
  } catch (error) {
    if (hasStatus(error, 401)) sessionEndReason.set(getSessionEndReason(error));
    // Others with the same IP address may have used up its rate limit: a visitor can still log in.
    const mayBeSignedIn =
      getHintedUserId() !== null || queryClient.getQueryData<Me | null>(queryKeys.currentUser);
    const isRateLimitedVisitor = hasStatus(error, 429) && !mayBeSignedIn;
    if (hasStatus(error, 401) || isRateLimitedVisitor) return null;
    isIdentityUncertain ||= queryClient.getQueryData(queryKeys.currentUser) === undefined;
    throw error;
  }
}

/** The server's sentence about why a session ended, if it was ended from elsewhere. */
function getSessionEndReason(error: ApiError): string | null {
  const isEnd = error.code === "session_ended" || error.code === "suspended";
  return isEnd && error.serverMessage ? getLoginErrorMessage(error, "") : null;
}

/** Refetches the current user; if that fails, the next screen retries. */
export async function refetchCurrentUser(): Promise<Me | null | undefined> {
  const fresh = { ...currentUserQuery, staleTime: 0 };
  return queryClient.fetchQuery(fresh).catch(() => undefined);
}

export interface MagicLink {
  token: string;
  invite?: string;
}

/** Logs in with the short code of the mail, in the browser that requested it. */
export const verifyCode = (code: string) =>
  logIn(() => api.POST("/api/auth/verify-code", { body: { code } }));

/** Logs in with a mailed link. Where another browser requested it, 409 `confirm_email` asks for the email. */
export const verifyMagicLink = (link: MagicLink, email?: string) =>
  logIn(() =>
    email === undefined
      ? api.GET("/api/auth/verify", { params: { query: link } })
      : api.POST("/api/auth/verify", { body: { ...link, email } }),
  );

/**
 * The server ends the previous session on login, so a pending logout is cancelled:
 * sent later, it would end the new session.
 */
async function logIn(request: () => Promise<unknown>): Promise<void> {
  await sendPendingLogout();
  await request();
  setPendingLogout(false);
}

/** Deletes the member's data on this device; the next page, or the next visit, ends the session. */
export async function logout(): Promise<void> {
  setPendingLogout(true);
  await clearSession();
  // Again, because a full storage has room only after the drafts are deleted.
  setPendingLogout(true);
  // Without a storage the next page would not know.
  if (!hasPendingLogout() && !(await endSession())) throw new Error("The session goes on.");
  reloadForNewSession();
}

/** Ends all sessions of the viewer and deletes their data on this device, even if this session has ended. */
export async function revokeAllSessions(): Promise<void> {
  try {
    await api.DELETE("/api/auth/sessions");
  } catch (error) {
    if (hasStatus(error, 401)) await clearSession();
    throw error;
  }
  await clearSession();
}

/** Deletes the member's data on this device, and notifies the other tabs, which reload. */
async function clearSession(): Promise<void> {
  // First the member: no tab stores a draft from then on.
  setHintedUserId(null);
  clearAllDrafts();
  await deleteOfflineData("images-and-shares");
}

/** Reloads when another tab logs this member out, or another member in. */
export function syncSessionAcrossTabs(): void {
  onHintedUserIdChange(reloadIfUserChanged);
  // A page in the back/forward cache receives no messages.
  addEventListener(
    "pageshow",
    ({ persisted }) => persisted && reloadIfUserChanged(getHintedUserId()),
  );
}

function reloadIfUserChanged(id: string | null | undefined): void {
  const currentUser = queryClient.getQueryData<Me | null>(queryKeys.currentUser);
  if (currentUser && id !== undefined && id !== currentUser.id) reloadForNewSession();
}

let logoutRequest: Promise<boolean> | undefined;

/** Ends a session whose logout the server missed; false while it can't be reached. */
const sendPendingLogout = async () => !hasPendingLogout() || endSession();

function endSession(): Promise<boolean> {
  // With a timeout, because some networks never respond.
  const options = { keepalive: true, signal: AbortSignal.timeout(LOGOUT_TIMEOUT_MS) };
  logoutRequest ??= api
    .POST("/api/auth/logout", options)
    // Without a session there is nothing to end.
    .then(
      () => true,
      (error) => hasStatus(error, 401),
    )
    .then((isEnded) => {
      logoutRequest = undefined;
      if (isEnded) setPendingLogout(false);
      return isEnded;
    });
  return logoutRequest;
}
