import { useMutation } from "@tanstack/react-query";
import type { KeptAway } from "@/api/keys";
import { setKeptAway } from "@/api/safety";
import type { MemberRef } from "@/api/types";

/** Mutes or blocks a member, or takes that back, and says so. */
export function useKeepAway(list: KeptAway, member: MemberRef) {
  const [verb, done] = list === "mutes" ? ["mute", "muted"] : ["block", "blocked"];
  const name = `@${member.username}`;
  return useMutation({
    mutationFn: (on: boolean) => setKeptAway(list, member, on),
    meta: {
      success: (_: void, on: boolean) => ({ title: `${name} is ${on ? "" : "no longer "}${done}` }),
      failure: (_: Error, on: boolean) =>
        `Failed to ${on ? "" : "un"}${verb} ${name}. Please try again.`,
    },
  });
}
