import { useMutation } from "@tanstack/react-query";
import { api } from "@/api/client";
import { hasStatus } from "@/api/api-error";
import { queryKeys } from "@/api/query-keys";
import { paginatedQuery, updateRowsInCache } from "@/api/paginated-query";
import type { WaitlistEntry } from "@/api/types";
import { ConfirmButton } from "@/ui/action-button";
import { RelativeTime } from "@/ui/relative-time";
import { ModerationList } from "./moderation-list";

const waitlistQuery = paginatedQuery("/api/admin/waitlist", {
  queryKey: queryKeys.waitlist,
  pageSize: 50,
});

export function WaitlistTab() {
  return (
    <ModerationList
      list={waitlistQuery}
      label="Waitlist"
      empty="The waitlist is empty"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3.5"
    >
      {(entry) => <WaitlistRow entry={entry} />}
    </ModerationList>
  );
}

function WaitlistRow({ entry }: { entry: WaitlistEntry }) {
  const { id, email, joinedAt, vouchedBy } = entry;
  const admit = useMutation({
    mutationFn: () => api.POST("/api/admin/waitlist/{id}/admit", { params: { path: { id } } }),
    meta: {
      success: { title: "Invite sent", description: email },
      failure: "Failed to send the invite. Please try again.",
    },
    onSettled(_, error) {
      // Another admin was faster if the entry is gone.
      if (error && !hasStatus(error, 404)) return;
      updateRowsInCache<WaitlistEntry>(queryKeys.waitlist, (rows) =>
        rows.filter((row) => row.id !== id),
      );
    },
  });
  return (
    <>
      <span className="min-w-0 leading-5">
        <span className="clip-marks block wrap-anywhere">{email}</span>
        <span className="text-sm text-muted-foreground">
          Waits since <RelativeTime at={joinedAt} />
        </span>
        {vouchedBy.length > 0 && (
          <span className="block text-sm wrap-anywhere">
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
    </>
  );
}
