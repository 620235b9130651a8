import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import { paginatedQuery } from "@/api/paginated-query";
import { invalidate } from "@/api/query-client";
import type { Vouch } from "@/api/types";
import { formatDate } from "@/lib/time/format-date";
import { ActionButton } from "@/ui/action-button";
import { PaginatedList } from "@/components/paginated-list";
import { RowBoundary } from "@/components/row-boundary";
import { TextForm } from "@/components/text-form";

const vouchesQuery = paginatedQuery("/api/waitlist/vouches", {
  queryKey: queryKeys.vouches,
  pageSize: 50,
});

export function Vouches() {
  const vouch = useMutation({
    mutationFn: async (email: string) =>
      unwrap(await api.POST("/api/waitlist/vouches", { body: { email } })),
    meta: {
      success: ({ email }: Vouch) => ({ title: t`You vouched for them`, description: email }),
      failure: t`Failed to vouch. Please try again.`,
      fields: ["email"],
    },
    // Not waited for: the form takes the next email meanwhile.
    onSuccess: () => void invalidate(queryKeys.vouches),
  });
  return (
    <>
      <p className="max-w-prose pt-2 text-muted-foreground">
        <Trans>
          Know someone on the waitlist but out of invites? Vouch for them, and the admins who review
          the waitlist will see it. To protect privacy we can't say whether someone is on the list.
        </Trans>
      </p>
      <TextForm
        name="email"
        mutation={vouch}
        type="email"
        label={t`Your friend's email`}
        placeholder="friend@example.com"
        autoComplete="off"
        button={{ children: t`Vouch` }}
        pending={t`Vouching...`}
        layout="max-w-md space-y-4 pt-4"
      />
      <PaginatedList list={vouchesQuery} loading={null} empty={null}>
        {(vouches) =>
          vouches.length > 0 && (
            <ul aria-label={t`You vouch for`} className="pt-4">
              {vouches.map((row) => (
                <RowBoundary key={row.id} as="li">
                  <VouchRow vouch={row} />
                </RowBoundary>
              ))}
            </ul>
          )
        }
      </PaginatedList>
    </>
  );
}

function VouchRow({ vouch: { id, email, createdAt } }: { vouch: Vouch }) {
  const withdraw = useMutation({
    mutationFn: () => api.DELETE("/api/waitlist/vouches/{id}", { params: { path: { id } } }),
    meta: {
      success: { title: t`Vouch withdrawn`, description: email },
      failure: t`Failed to withdraw your vouch. Please try again.`,
      invalidates: [queryKeys.vouches],
    },
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-border py-3.5">
      <span className="min-w-0 leading-5">
        <span className="block wrap-anywhere">{email}</span>
        <span className="text-sm text-muted-foreground">
          <Trans>
            Since <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          </Trans>
        </span>
      </span>
      <ActionButton
        mutation={withdraw}
        variant="ghost"
        size="small"
        data-row
        aria-label={t`Withdraw your vouch for ${email}`}
      >
        <Trans>Withdraw</Trans>
      </ActionButton>
    </li>
  );
}
