import type { KeptAway } from "@/api/keys";
import { useKeepAway } from "@/api/safety";
import type { MemberRef } from "@/api/types";
import { ActionButton } from "./action-button";

/** Takes a mute or a block back. */
export function KeepAwayButton({ list, member }: { list: KeptAway; member: MemberRef }) {
  const { isPending, mutate } = useKeepAway(list, member);
  const word = list === "mutes" ? "Unmute" : "Unblock";
  return (
    <ActionButton
      mutation={{ isPending, mutate: () => mutate(false) }}
      size="small"
      aria-label={`${word} @${member.username}`}
    >
      {word}
    </ActionButton>
  );
}
