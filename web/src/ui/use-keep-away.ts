import { useMutation } from "@tanstack/react-query";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import type { KeptAway } from "@/api/keys";
import { setKeptAway } from "@/api/safety";
import type { MemberRef } from "@/api/types";
import { toast } from "@/lib/toast";

const words = {
  mutes: { verb: "mute", done: "muted" },
  blocks: { verb: "block", done: "blocked" },
};

/**
 * Mutes or blocks a member, or takes that back, and says so. `onDone` runs once it is done,
 * before what is drawn follows.
 */
export function useKeepAway(list: KeptAway, member: MemberRef, onDone?: () => void) {
  const { verb, done } = words[list];
  const name = `@${member.username}`;
  return useMutation({
    mutationFn: async (on: boolean) => {
      await setKeptAway(list, member, on);
      onDone?.();
    },
    onSuccess: (_, on) => toast({ title: `${name} is ${on ? "" : "no longer "}${done}` }),
    onError(error, on) {
      const failure = `Failed to ${on ? "" : "un"}${verb} ${name}. Please try again.`;
      showFailure(error, sentenceOf(error, failure));
    },
  });
}
