import { t } from "@lingui/core/macro";
import { useMutation } from "@tanstack/react-query";
import { setMutedOrBlocked } from "@/api/mutes-blocks";
import type { MuteOrBlock } from "@/api/query-keys";
import type { UserSummary } from "@/api/types";

/** Mutes or blocks a member, or undoes it, and shows a toast. */
export function useMuteBlock(kind: MuteOrBlock, user: UserSummary) {
  const name = `@${user.username}`;
  return useMutation({
    mutationFn: (on: boolean) => setMutedOrBlocked(kind, user, on),
    meta: {
      success: (_: void, on: boolean) => ({ title: getSuccessText(kind, name, on) }),
      failure: (_: Error, on: boolean) => getFailureText(kind, name, on),
    },
  });
}

function getSuccessText(kind: MuteOrBlock, name: string, on: boolean): string {
  if (kind === "mutes") return on ? t`${name} is muted` : t`${name} is no longer muted`;
  return on ? t`${name} is blocked` : t`${name} is no longer blocked`;
}

function getFailureText(kind: MuteOrBlock, name: string, on: boolean): string {
  if (kind === "mutes") {
    return on
      ? t`Failed to mute ${name}. Please try again.`
      : t`Failed to unmute ${name}. Please try again.`;
  }
  return on
    ? t`Failed to block ${name}. Please try again.`
    : t`Failed to unblock ${name}. Please try again.`;
}
