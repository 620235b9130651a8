import { t } from "@lingui/core/macro";
import { useMuteBlock } from "./use-mute-block";
import type { UserSummary } from "@/api/types";
import ConfirmDialog from "@/ui/confirm-dialog";

export default function BlockDialog({ user, onClose }: { user: UserSummary; onClose: () => void }) {
  const { username } = user;
  const block = useMuteBlock("blocks", user);
  return (
    <ConfirmDialog
      title={t`Block @${username}?`}
      description={t`You no longer see each other's posts, and neither can follow or answer the other. You stop following each other. They can see on your profile that you blocked them.`}
      action={t`Block`}
      pendingAction={t`Blocking...`}
      pending={block.isPending}
      onConfirm={() => block.mutate(true, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
