import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { api, apiQueryOptions } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import type { Invite } from "@/api/types";
import { site } from "@/lib/site";
import { useStore } from "@/lib/state/store";
import { formatDate } from "@/lib/time/format-date";
import { toast, toastError } from "@/lib/state/toast";
import { useNow } from "@/lib/time/use-now";
import { ConfirmButton } from "@/ui/action-button";
import { Button } from "@/ui/button";
import { QueryView } from "@/components/query-view";
import { Section } from "@/ui/section";
import { Skeleton, SkeletonList } from "@/ui/skeleton";

const COPIED_DURATION_MS = 2_000;

export function InviteLists() {
  const query = useQuery(apiQueryOptions(queryKeys.invites, () => api.GET("/api/invites")));
  const now = useNow();
  const { inviteDays } = useStore(site);
  const loading = (
    <SkeletonList count={3} className="pt-8">
      {() => <Skeleton className="h-5 w-60" />}
    </SkeletonList>
  );
  return (
    <QueryView query={query} loading={loading}>
      {(invites) => {
        const used = invites.filter(({ isUsed }) => isUsed);
        const active = invites.filter(
          ({ isUsed, expiresAt }) => !isUsed && Date.parse(expiresAt) > now,
        );
        return (
          <>
            <Section title={t`Active Invites`}>
              {active.length > 0 ? (
                <ul>
                  {active.map((invite) => (
                    <ActiveInvite key={invite.id} invite={invite} />
                  ))}
                </ul>
              ) : (
                <p className="py-4 text-muted-foreground">
                  {plural(inviteDays, {
                    one: "No active invites. A code you generate is good for # day and lets one friend in.",
                    other:
                      "No active invites. A code you generate is good for # days and lets one friend in.",
                  })}
                </p>
              )}
            </Section>
            {used.length > 0 && (
              <Section title={t`Used Invites`}>
                <ul>{used.map(renderUsedInvite)}</ul>
              </Section>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

function ActiveInvite({ invite: { id, code, expiresAt } }: { invite: Invite }) {
  const [copied, setCopied] = useState(false);
  const expiryDate = formatDate(expiresAt);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_DURATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(code);
      setCopied(true);
      toast({ title: t`Copied`, description: t`Invite code ${code} is on your clipboard.` });
    } catch {
      toastError(t`This browser does not let us copy. Please select the code instead.`);
    }
  }

  const revoke = useMutation({
    mutationFn: () => api.DELETE("/api/invites/{id}", { params: { path: { id } } }),
    meta: {
      success: { title: t`Invite revoked` },
      failure: t`Failed to revoke invite code. Please try again.`,
      // Also if a friend was faster: the list shows the member who joined.
      invalidates: [queryKeys.invites, queryKeys.currentUser],
    },
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border py-4">
      <div className="min-w-0 flex-1 basis-52">
        <p className="text-lg font-semibold tracking-invite-code break-all">{code}</p>
        <p className="text-sm text-muted-foreground">
          <Trans>
            Expires <time dateTime={expiresAt}>{expiryDate}</time>
          </Trans>
        </p>
      </div>
      <div className="flex gap-1">
        <Button variant="outline" size="small" onClick={() => void copy()} className="min-w-28">
          {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          {copied ? t`Copied` : t`Copy`}
        </Button>
        <ConfirmButton
          mutation={revoke}
          variant="ghost"
          size="small"
          aria-label={t`Revoke ${code}`}
          confirm={{
            title: t`Revoke this code?`,
            description: t`${code} stops working, and you can generate another one instead.`,
            action: t`Revoke`,
            pendingAction: t`Revoking...`,
          }}
        >
          <Trans>Revoke</Trans>
        </ConfirmButton>
      </div>
    </li>
  );
}

function renderUsedInvite({ id, code, usedAt, usedBy }: Invite) {
  const usageDate = formatDate(usedAt) || t({ message: t`Unknown`, context: "date" });
  return (
    <li key={id} className="flex items-center gap-4 border-b border-border py-4">
      <div className="min-w-0 flex-1">
        <p className="tracking-invite-code break-all text-muted-foreground line-through">{code}</p>
        <p className="text-sm text-muted-foreground">
          <span className="inline-block">
            <Trans>Used on {usageDate}</Trans>
          </span>
          {usedBy && (
            <>
              {" "}
              <span className="inline-block max-w-full truncate align-bottom">
                <Trans>
                  by{" "}
                  <Link
                    href={`/profile/${usedBy.username}`}
                    className="font-medium text-foreground hover:underline"
                  >
                    {usedBy.displayName}
                  </Link>
                </Trans>
              </span>
            </>
          )}
        </p>
      </div>
      <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-repost">
        <Check size={16} aria-hidden />
        <Trans>Claimed</Trans>
      </span>
    </li>
  );
}
