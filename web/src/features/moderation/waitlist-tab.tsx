import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
      label={t`Waitlist`}
      empty={t`The waitlist is empty`}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3.5"
    >
      {(entry) => <WaitlistRow entry={entry} />}
    </ModerationList>
  );
}

function WaitlistRow({ entry }: { entry: WaitlistEntry }) {
  const { id, email, joinedAt, vouchedBy } = entry;
  const vouchers = vouchedBy.map(({ username }) => `@${username}`).join(", ");
  const admit = useMutation({
    mutationFn: () => api.POST("/api/admin/waitlist/{id}/admit", { params: { path: { id } } }),
    meta: {
      success: { title: t`Invite sent`, description: email },
      failure: t`Failed to send the invite. Please try again.`,
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
          <Trans>
            Waits since <RelativeTime at={joinedAt} />
          </Trans>
        </span>
        {vouchedBy.length > 0 && (
          <span className="block text-sm wrap-anywhere">
            <Trans>Vouched for by {vouchers}</Trans>
          </span>
        )}
      </span>
      <ConfirmButton
        mutation={admit}
        size="small"
        aria-label={t`Admit ${email}`}
        confirm={{
          title: t`Send an invite?`,
          description: t`${email} gets a mail with an invite code that is good for 7 days. A mail cannot be called back.`,
          action: t`Send invite`,
          pendingAction: t`Sending...`,
        }}
      >
        <Trans>Admit</Trans>
      </ConfirmButton>
    </>
  );
}
