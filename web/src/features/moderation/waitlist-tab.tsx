import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { hasStatus, sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import {
  dropFromWaitlist,
  refreshModeration,
  sendAdmission,
  waitlistQuery,
} from "@/api/moderation";
import type { WaitlistEntry } from "@/api/types";
import { focusMain } from "@/lib/focus-main";
import { toast } from "@/lib/toast";
import { Age } from "@/ui/age";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { RowList } from "./row-list";

/** Who waits to be let in, the longest waiting first. */
export function WaitlistTab() {
  return <RowList query={waitlistQuery} label="Waitlist" empty="Nobody waits" item={WaitingRow} />;
}

function WaitingRow({ row: { id, email, joinedAt, vouchedBy } }: { row: WaitlistEntry }) {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const admit = useMutation({
    mutationFn: () => sendAdmission(id),
    onSuccess() {
      setAsking(false);
      dropFromWaitlist(id);
      toast({ title: "Invite sent", description: email });
    },
    onError(error) {
      // Somebody was faster.
      if (hasStatus(error, 404)) {
        setAsking(false);
        void refreshModeration();
      }
      showFailure(error, sentenceOf(error, "Failed to send the invite. Please try again."));
    },
  });
  return (
    <li
      tabIndex={-1}
      data-row
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3.5 -outline-offset-2 sm:px-5"
    >
      <span className="min-w-0 leading-5">
        <span className="clip-marks block [overflow-wrap:anywhere]">{email}</span>
        <span className="text-sm text-muted">
          Waits since <Age at={joinedAt} />
        </span>
        {vouchedBy.length > 0 && (
          <span className="block text-sm [overflow-wrap:anywhere]">
            Vouched for by {vouchedBy.map(({ username }) => `@${username}`).join(", ")}
          </span>
        )}
      </span>
      <Button
        ref={button}
        look="outline"
        size="small"
        aria-label={`Admit ${email}`}
        onClick={() => setAsking(true)}
      >
        Admit
      </Button>
      {asking && (
        <ConfirmDialog
          title="Send an invite?"
          description={`${email} gets a mail with an invite code that is good for 7 days. A mail cannot be called back.`}
          action="Send invite"
          pendingAction="Sending..."
          pending={admit.isPending}
          onConfirm={() => admit.mutate()}
          onCancel={() => setAsking(false)}
          onGone={() => {
            if (button.current?.isConnected) button.current.focus();
            else focusMain();
          }}
        />
      )}
    </li>
  );
}
