import type { MuteOrBlock } from "@/api/query-keys";
import { useMuteBlock } from "./use-mute-block";
import type { UserSummary } from "@/api/types";
import { ActionButton } from "@/ui/action-button";

/** Takes a mute or a block back. */
export function UnmuteUnblockButton({ kind, user }: { kind: MuteOrBlock; user: UserSummary }) {
  const { isPending, mutate } = useMuteBlock(kind, user);
  const label = kind === "mutes" ? "Unmute" : "Unblock";
  return (
    <ActionButton
      mutation={{ isPending, mutate: () => mutate(false) }}
      size="small"
      aria-label={`${label} @${user.username}`}
    >
      {label}
    </ActionButton>
  );
}
