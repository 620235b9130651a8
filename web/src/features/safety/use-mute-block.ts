import { useMutation } from "@tanstack/react-query";
import { setMutedOrBlocked } from "@/api/mutes-blocks";
import type { MuteOrBlock } from "@/api/query-keys";
import type { UserSummary } from "@/api/types";

/** Mutes or blocks a member, or takes that back, and says so. */
export function useMuteBlock(kind: MuteOrBlock, user: UserSummary) {
  const [verb, participle] = kind === "mutes" ? ["mute", "muted"] : ["block", "blocked"];
  const name = `@${user.username}`;
  return useMutation({
    mutationFn: (on: boolean) => setMutedOrBlocked(kind, user, on),
    meta: {
      success: (_: void, on: boolean) => ({
        title: `${name} is ${on ? "" : "no longer "}${participle}`,
      }),
      failure: (_: Error, on: boolean) =>
        `Failed to ${on ? "" : "un"}${verb} ${name}. Please try again.`,
    },
  });
}
