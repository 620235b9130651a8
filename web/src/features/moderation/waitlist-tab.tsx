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
      // 404: another admin has already admitted or removed the entry.
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
            Joined <RelativeTime at={joinedAt} />
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
          description: t`We'll email ${email} an invite code that's valid for 7 days. You can't undo this.`,
          action: t`Send invite`,
          pendingAction: t`Sending...`,
        }}
      >
        <Trans>Admit</Trans>
      </ConfirmButton>
    </>
  );
}
