import { api, bodyOf, bodyQuery } from "./client";
import { hasStatus } from "./error";
import { keys } from "./keys";
import { queryClient, refresh } from "./query-client";
import { forgetMember } from "./session";
import type { EmailState, Export } from "./types";

/** Milliseconds between two looks at an export that is being made. */
const EXPORT_INTERVAL = 2_000;

export const accountQuery = bodyQuery(keys.account, () => api.GET("/api/account"));

export const exportQuery = {
  ...bodyQuery(keys.export, () => api.GET("/api/account/export")),
  refetchInterval: ({ state }: { state: { data?: Export | undefined } }) =>
    isUnderWay(state.data) ? EXPORT_INTERVAL : (false as const),
};

export const exportFile = "/api/account/export/file";

export function isUnderWay(made: Export | undefined): boolean {
  return made?.state === "waiting" || made?.state === "running";
}

// The member's own record repeats a part of the account.
const refreshAccount = () => refresh(keys.account, keys.me);

/** Requests another email, which both mailboxes must confirm. */
export async function changeEmail(email: string): Promise<void> {
  await api.POST("/api/account/email", { body: { email } });
  await refreshAccount();
}

export async function cancelEmailChange(): Promise<void> {
  await api.DELETE("/api/account/email");
  await refreshAccount();
}

export async function confirmEmailCode(code: string): Promise<EmailState> {
  const { state } = bodyOf(await api.POST("/api/account/email/code", { body: { code } }));
  await refreshAccount();
  return state;
}

export const emailLinkQuery = (token: string) =>
  bodyQuery(keys.emailLink(token), () =>
    api.GET("/api/account/email/confirm", { params: { query: { token } } }),
  );

/** Confirms the change of a mailed link, or cancels it because the reader has not requested it. */
export async function confirmEmail(link: { token: string; notMe: boolean }): Promise<EmailState> {
  const { state } = bodyOf(await api.POST("/api/account/email/confirm", { body: link }));
  // The member who is logged in here may be logged out now.
  await refreshAccount();
  return state;
}

export async function startExport(): Promise<void> {
  const made = bodyOf(await api.POST("/api/account/export"));
  queryClient.setQueryData(keys.export, made);
}

/** Has my account deleted in some days, and ends my other sessions now. */
export async function deleteAccount(username: string): Promise<void> {
  await api.POST("/api/account/deletion", { body: { username } });
  await refreshAccount();
  await refresh(keys.devices);
}

export async function keepAccount(): Promise<void> {
  await api.DELETE("/api/account/deletion");
  await refreshAccount();
}

export const devicesQuery = bodyQuery(keys.devices, () => api.GET("/api/auth/sessions"));

/** Ends another session of mine; one that has ended meanwhile is as good. */
export async function endDevice(id: string): Promise<void> {
  try {
    await api.DELETE("/api/auth/sessions/{id}", { params: { path: { id } } });
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
  }
  await refresh(keys.devices);
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
