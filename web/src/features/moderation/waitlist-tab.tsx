import { useMutation } from "@tanstack/react-query";
import { hasStatus } from "@/api/error";
import { keys } from "@/api/keys";
import { patchRows } from "@/api/lists";
import { refreshModeration, sendAdmission, waitlistQuery } from "@/api/moderation";
import type { WaitlistEntry } from "@/api/types";
import { ConfirmButton } from "@/ui/action-button";
import { Age } from "@/ui/age";
import { ListRow, RowList } from "./row-list";

export function WaitlistTab() {
  return (
    <RowList list={waitlistQuery} label="Waitlist" empty="The waitlist is empty">
      {(entry) => <WaitingRow entry={entry} />}
    </RowList>
  );
}

function WaitingRow({ entry }: { entry: WaitlistEntry }) {
  const { id, email, joinedAt, vouchedBy } = entry;
  const admit = useMutation({
    mutationFn: () => sendAdmission(id),
    onSuccess() {
      patchRows<WaitlistEntry>(keys.waitlist, (rows) => rows.filter((row) => row.id !== id));
    },
    meta: {
      success: { title: "Invite sent", description: email },
      failure: "Failed to send the invite. Please try again.",
    },
    onError(error) {
      // Another admin was faster.
      if (hasStatus(error, 404)) void refreshModeration();
    },
  });
  return (
    <ListRow className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3.5">
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
      <ConfirmButton
        mutation={admit}
        size="small"
        aria-label={`Admit ${email}`}
        confirm={{
          title: "Send an invite?",
          description: `${email} gets a mail with an invite code that is good for 7 days. A mail cannot be called back.`,
          action: "Send invite",
          pendingAction: "Sending...",
        }}
      >
        Admit
      </ConfirmButton>
    </ListRow>
  );
}
