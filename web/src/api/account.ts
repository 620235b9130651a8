import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { EmailState, Export } from "./types";

/** How often the server is asked how far an export is, while one is under way. */
const LOOK = 2_000;

/** My address, a change of it that waits, and whether the account will be deleted. */
export const accountQuery = queryOptions({
  queryKey: keys.account,
  queryFn: async () => bodyOf(await api.GET("/api/account")),
});

/** How far my newest export is. */
export const exportQuery = queryOptions({
  queryKey: keys.export,
  queryFn: async () => bodyOf(await api.GET("/api/account/export")),
  refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK : false),
});

/** Where the file of my newest export is. */
export const exportFile = "/api/account/export/file";

/** Whether an export is being made, or will be. */
export function isUnderWay(made: Export | undefined): boolean {
  return made?.state === "waiting" || made?.state === "running";
}

async function lookAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.account });
}

/** Asks for another address, which both mailboxes must confirm. */
export async function changeEmail(email: string): Promise<void> {
  await api.POST("/api/account/email", { body: { email } });
  await lookAgain();
}

/** Calls off the change that waits. */
export async function cancelEmailChange(): Promise<void> {
  await api.DELETE("/api/account/email");
  await lookAgain();
}

/** Confirms the new address by the code that was mailed there. */
export async function confirmEmailCode(code: string): Promise<EmailState> {
  const { state } = bodyOf(await api.POST("/api/account/email/code", { body: { code } }));
  await lookAgain();
  return state;
}

/** Does what a mailed link is for. */
export async function confirmEmail(token: string): Promise<EmailState> {
  const { state } = bodyOf(await api.POST("/api/account/email/confirm", { body: { token } }));
  // Whoever is logged in here may not be any more.
  await queryClient.invalidateQueries({ queryKey: keys.me });
  await lookAgain();
  return state;
}

/** Asks for a copy of everything I have. */
export async function startExport(): Promise<void> {
  const made = bodyOf(await api.POST("/api/account/export"));
  queryClient.setQueryData(keys.export, made);
}

/** Has my account deleted in some days. */
export async function deleteAccount(username: string): Promise<void> {
  await api.POST("/api/account/deletion", { body: { username } });
  await lookAgain();
  await queryClient.invalidateQueries({ queryKey: keys.devices });
}

/** Keeps my account after all. */
export async function keepAccount(): Promise<void> {
  await api.DELETE("/api/account/deletion");
  await lookAgain();
}
