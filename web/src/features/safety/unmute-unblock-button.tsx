import { t } from "@lingui/core/macro";
import type { MuteOrBlock } from "@/api/query-keys";
import { useMuteBlock } from "./use-mute-block";
import type { UserSummary } from "@/api/types";
import { ActionButton } from "@/ui/action-button";

/** Takes a mute or a block back. */
export function UnmuteUnblockButton({ kind, user }: { kind: MuteOrBlock; user: UserSummary }) {
  const { isPending, mutate } = useMuteBlock(kind, user);
  const { username } = user;
  const [label, description] =
    kind === "mutes" ? [t`Unmute`, t`Unmute @${username}`] : [t`Unblock`, t`Unblock @${username}`];
  return (
    <ActionButton
      mutation={{ isPending, mutate: () => mutate(false) }}
      size="small"
      aria-label={description}
    >
      {label}
    </ActionButton>
  );
}
