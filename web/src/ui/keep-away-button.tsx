import type { MuteOrBlock } from "@/api/query-keys";
import { useMuteBlock } from "@/api/mutes-blocks";
import type { UserSummary } from "@/api/types";
import { ActionButton } from "./action-button";

/** Takes a mute or a block back. */
export function KeepAwayButton({ list, member }: { list: MuteOrBlock; member: UserSummary }) {
  const { isPending, mutate } = useMuteBlock(list, member);
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
