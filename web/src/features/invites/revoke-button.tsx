import { useRef, useState } from "react";
import type { Invite } from "@/api/types";
import { focusMain } from "@/lib/focus-main";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { useRevokeInvite } from "./use-revoke-invite";

/** Takes an unused code back, once that was asked. */
export function RevokeButton({ invite }: { invite: Invite }) {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const revoke = useRevokeInvite(() => setAsking(false));
  return (
    <>
      <Button
        ref={button}
        look="quiet"
        size="small"
        aria-label={`Revoke ${invite.code}`}
        onClick={() => setAsking(true)}
      >
        Revoke
      </Button>
      {asking && (
        <ConfirmDialog
          title="Revoke this code?"
          description={`${invite.code} stops working, and you can generate another one instead.`}
          action="Revoke"
          pendingAction="Revoking..."
          pending={revoke.isPending}
          onConfirm={() => revoke.mutate(invite.id)}
          onCancel={() => setAsking(false)}
          onGone={() => {
            if (button.current?.isConnected) button.current.focus();
            else focusMain();
          }}
        />
      )}
    </>
  );
}
