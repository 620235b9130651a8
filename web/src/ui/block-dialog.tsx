import { useMuteBlock } from "@/api/mutes-blocks";
import type { UserSummary } from "@/api/types";
import ConfirmDialog from "./confirm-dialog";

export default function BlockDialog({
  member,
  onClose,
}: {
  member: UserSummary;
  onClose: () => void;
}) {
  const block = useMuteBlock("blocks", member);
  return (
    <ConfirmDialog
      title={`Block @${member.username}?`}
      description="You no longer see each other's posts, and neither can follow or answer the other. You stop following each other. They can see on your profile that you blocked them."
      action="Block"
      pendingAction="Blocking..."
      pending={block.isPending}
      onConfirm={() => block.mutate(true, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
