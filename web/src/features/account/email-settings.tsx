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
            {email ?? "You haven't added an email address yet."}
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
      success: { title: "Check your email!", description: "Confirm the change within 15 minutes." },
      failure: "Failed to request the change. Please try again.",
      fields: ["email"],
      invalidates: accountQueryKeys,
    },
  });
  return (
    <TextForm
      name="email"
      mutation={requestChange}
      type="email"
      label={currentEmail ? "New email address" : "Your email address"}
      hint={
        currentEmail
          ? "We'll email both addresses. Confirm from both to make the change."
          : "We'll send a confirmation link to this address."
      }
      placeholder="you@example.com"
      autoComplete="email"
      button={{ children: "Change email address" }}
      pending="Sending..."
      layout="max-w-md space-y-4 pt-4"
    />
  );
}

function PendingEmailChange({ pending }: { pending: PendingEmail }) {
  const now = useNow();
  const cancel = useMutation({
    mutationFn: () => api.DELETE("/api/account/email"),
    meta: {
      success: { title: "Change cancelled" },
      failure: "Failed to cancel the change. Please try again.",
      invalidates: accountQueryKeys,
    },
  });
  const confirm = useMutation({
    mutationFn: async (code: string) =>
      unwrap(await api.POST("/api/account/email/code", { body: { code } })),
    meta: {
      success: ({ state }: { state: EmailState }) => ({
        title: state === "changed" ? "Email address changed" : "New email address confirmed",
      }),
      failure: "Failed to confirm the email address. Please try again.",
      fields: ["code"],
      invalidates: accountQueryKeys,
    },
  });
  return (
    <div className="mt-4 max-w-md space-y-4 rounded-2xl border border-border p-5">
      <p className="wrap-anywhere">
        Your email address will change to <strong className="font-semibold">{pending.email}</strong>{" "}
        once you confirm from both addresses. The links expire{" "}
        {formatRelative(pending.expiresAt, now)}.
      </p>
      <ul className="space-y-1 text-muted-foreground">
        <li>New email address: {pending.isNewConfirmed ? "confirmed" : "not confirmed yet"}</li>
        <li>Current email address: {pending.isOldConfirmed ? "confirmed" : "not confirmed yet"}</li>
      </ul>
      {!pending.isNewConfirmed && (
        <TextForm
          name="code"
          mutation={confirm}
          clean={(text) => text.toUpperCase()}
          label="Code"
          hint="Can't open the link? Enter the code from the email we sent to the new address."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-medium tracking-code"
          button={{ children: "Confirm by code", size: "small" }}
          pending="Confirming..."
          layout="space-y-3"
        />
      )}
      <ActionButton mutation={cancel} size="small" pending="Cancelling...">
        Cancel the change
      </ActionButton>
    </div>
  );
}
