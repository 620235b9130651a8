import type { MemberRef } from "@/api/types";
import { ConfirmDialog } from "./confirm-dialog";
import { useKeepAway } from "./use-keep-away";

interface Props {
  member: MemberRef;
  onCancel: () => void;
  /** What happens once the member is blocked. */
  onBlocked: () => void;
  /** Puts the focus where the reader goes on once the dialog is gone. */
  onGone: () => void;
}

/** Asks whether to block a member, and does. */
export function BlockDialog({ member, onCancel, onBlocked, onGone }: Props) {
  const block = useKeepAway("blocks", member, onBlocked);
  return (
    <ConfirmDialog
      title={`Block @${member.username}?`}
      description="You no longer see each other's posts, and neither can follow or answer the other. You stop following each other. They can see on your profile that you blocked them."
      action="Block"
      pendingAction="Blocking..."
      pending={block.isPending}
      onConfirm={() => block.mutate(true)}
      onCancel={onCancel}
      onGone={onGone}
    />
  );
}
