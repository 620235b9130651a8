import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { accountQueryKeys, accountQuery } from "@/api/account";
import { api, unwrap } from "@/api/client";
import type { EmailState, PendingEmail } from "@/api/types";
import { formatRelative } from "@/lib/time/format-date";
import { useNow } from "@/lib/time/use-now";
import { ActionButton } from "@/ui/action-button";
import { QueryView } from "@/components/query-view";
import { Skeleton, SkeletonList } from "@/ui/skeleton";
import { TextForm } from "@/components/text-form";

export function EmailSettings() {
  // Mailboxes confirm elsewhere: coming back is asking how far that is.
  const query = useQuery({ ...accountQuery, refetchOnMount: "always", refetchOnWindowFocus: true });
  const loading = (
    <SkeletonList className="pt-5">{() => <Skeleton className="h-5 w-52" />}</SkeletonList>
  );
  return (
    <QueryView query={query} loading={loading}>
      {({ email, pendingEmail }) => (
        <>
          <p className="pt-4 font-medium wrap-anywhere">
            {email ?? t`You haven't added an email address yet.`}
          </p>
          {pendingEmail ? (
            <PendingEmailChange pending={pendingEmail} />
          ) : (
            <ChangeEmailForm currentEmail={email} />
          )}
        </>
      )}
    </QueryView>
  );
}

function ChangeEmailForm({ currentEmail }: { currentEmail: string | null | undefined }) {
  const requestChange = useMutation({
    mutationFn: (email: string) => api.POST("/api/account/email", { body: { email } }),
    meta: {
      success: {
        title: t`Check your email!`,
        description: t`Confirm the change within 15 minutes.`,
      },
      failure: t`Failed to request the change. Please try again.`,
      fields: ["email"],
      invalidates: accountQueryKeys,
    },
  });
  return (
    <TextForm
      name="email"
      mutation={requestChange}
      type="email"
      label={currentEmail ? t`New email address` : t`Your email address`}
      hint={
        currentEmail
          ? t`We'll email both addresses. Confirm from both to make the change.`
          : t`We'll send a confirmation link to this address.`
      }
      placeholder="you@example.com"
      autoComplete="email"
      button={{ children: t`Change email address` }}
      pending={t`Sending...`}
      layout="max-w-md space-y-4 pt-4"
    />
  );
}

function PendingEmailChange({ pending }: { pending: PendingEmail }) {
  const now = useNow();
  const cancel = useMutation({
    mutationFn: () => api.DELETE("/api/account/email"),
    meta: {
      success: { title: t`Change cancelled` },
      failure: t`Failed to cancel the change. Please try again.`,
      invalidates: accountQueryKeys,
    },
  });
  const confirm = useMutation({
    mutationFn: async (code: string) =>
      unwrap(await api.POST("/api/account/email/code", { body: { code } })),
    meta: {
      success: ({ state }: { state: EmailState }) => ({
        title: state === "changed" ? t`Email address changed` : t`New email address confirmed`,
      }),
      failure: t`Failed to confirm the email address. Please try again.`,
      fields: ["code"],
      invalidates: accountQueryKeys,
    },
  });
  return (
    <div className="mt-4 max-w-md space-y-4 rounded-2xl border border-border p-5">
      <p className="wrap-anywhere">
        <Trans>
          Your email address will change to{" "}
          <strong className="font-semibold">{pending.email}</strong> once you confirm from both
          addresses. The links expire {formatRelative(pending.expiresAt, now)}.
        </Trans>
      </p>
      <ul className="space-y-1 text-muted-foreground">
        <li>
          {pending.isNewConfirmed
            ? t`New email address: confirmed`
            : t`New email address: not confirmed yet`}
        </li>
        <li>
          {pending.isOldConfirmed
            ? t`Current email address: confirmed`
            : t`Current email address: not confirmed yet`}
        </li>
      </ul>
      {!pending.isNewConfirmed && (
        <TextForm
          name="code"
          mutation={confirm}
          clean={(text) => text.toUpperCase()}
          label={t`Code`}
          hint={t`Can't open the link? Enter the code from the email we sent to the new address.`}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-medium tracking-code"
          button={{ children: t`Confirm by code`, size: "small" }}
          pending={t`Confirming...`}
          layout="space-y-3"
        />
      )}
      <ActionButton mutation={cancel} size="small" pending={t`Cancelling...`}>
        <Trans>Cancel the change</Trans>
      </ActionButton>
    </div>
  );
}
