import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { accountQueryKeys } from "@/api/account";
import { api } from "@/api/client";
import { useCurrentUser } from "@/api/auth";
import { formatDate } from "@/lib/time/format-date";
import { ActionButton } from "@/ui/action-button";
import { buttonClass } from "@/ui/button";

/** Says above the feed what a member should know of their account before it is too late. */
export function AccountNotices() {
  const { email, deletionAt } = useCurrentUser();
  if (!deletionAt && email !== null) return null;
  return (
    <div className="space-y-4 px-4 pb-5 sm:px-5">
      {deletionAt && <PendingDeletionBanner deleteAt={deletionAt} />}
      {email === null && (
        <section
          aria-label={t`Add an email address`}
          className="flex flex-wrap items-center justify-between gap-4 rounded-2xl border border-border bg-muted/60 p-5"
        >
          <p className="min-w-0">
            <Trans>Add an email address so you can log in again.</Trans>
          </p>
          <Link href="/settings" className={buttonClass("outline")}>
            <Trans>Add email</Trans>
          </Link>
        </section>
      )}
    </div>
  );
}

export function PendingDeletionBanner({ deleteAt }: { deleteAt: string }) {
  const deletionDate = formatDate(deleteAt);
  const cancelDeletion = useMutation({
    mutationFn: () => api.DELETE("/api/account/deletion"),
    meta: {
      success: { title: t`Deletion cancelled`, description: t`Your account will not be deleted.` },
      failure: t`Failed to keep your account. Please try again.`,
      invalidates: accountQueryKeys,
    },
  });
  return (
    <section
      aria-label={t`Your account will be deleted`}
      className="flex flex-wrap items-center justify-between gap-4 rounded-2xl border border-destructive p-5"
    >
      <p>
        <Trans>
          Your account and everything in it will be deleted on{" "}
          <strong className="font-semibold">{deletionDate}</strong>.
        </Trans>
      </p>
      <ActionButton mutation={cancelDeletion} variant="primary" pending={t`Keeping...`}>
        <Trans>Keep my account</Trans>
      </ActionButton>
    </section>
  );
}
