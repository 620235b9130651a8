import { useKeepAway } from "@/api/safety";
import type { MemberRef } from "@/api/types";
import ConfirmDialog from "./confirm-dialog";

export default function BlockDialog({
  member,
  onClose,
}: {
  member: MemberRef;
  onClose: () => void;
}) {
  const block = useKeepAway("blocks", member);
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
