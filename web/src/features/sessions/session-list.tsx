import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { api, apiQueryOptions } from "@/api/client";
import { hasStatus } from "@/api/api-error";
import { queryKeys } from "@/api/query-keys";
import { revokeAllSessions } from "@/api/auth";
import type { Session } from "@/api/types";
import { reloadForNewSession } from "@/lib/navigation/leave-page";
import { formatDateTime, formatDate, formatRelative } from "@/lib/time/format-date";
import { toastAfterReload } from "@/lib/state/toast";
import { useNow } from "@/lib/time/use-now";
import { ActionButton, ConfirmButton } from "@/ui/action-button";
import { QueryView } from "@/components/query-view";
import { Skeleton, SkeletonList } from "@/ui/skeleton";

const rowClass = "flex items-center gap-4 border-b border-border py-4";

const skeleton = (
  <SkeletonList count={2} className={`${rowClass} last:border-b-0`}>
    {() => (
      <>
        <Skeleton className="size-6 shrink-0" />
        <div className="flex-1 space-y-3 py-1">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-3 w-60 opacity-60" />
        </div>
      </>
    )}
  </SkeletonList>
);

/** The member's sessions: this device first, then the last used. */
export function SessionList() {
  // Coming here is asking where one is logged in now.
  const query = useQuery({
    ...apiQueryOptions(queryKeys.sessions, () => api.GET("/api/auth/sessions")),
    refetchOnMount: "always",
  });
  const revokeAll = useMutation({
    mutationFn: revokeAllSessions,
    meta: { failure: t`Failed to log out everywhere. Please try again.` },
    onSuccess() {
      toastAfterReload(t`Logged out everywhere`);
      reloadForNewSession();
    },
  });
  return (
    <QueryView query={query} loading={skeleton}>
      {(devices) => (
        <>
          <ul>
            {devices
              .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
              .map((device) => (
                <SessionListItem key={device.id} session={device} />
              ))}
          </ul>
          {devices.length === 1 && (
            <p className="pt-4 text-muted-foreground">
              <Trans>You're logged in on this device only.</Trans>
            </p>
          )}
          <div className="pt-6">
            <ConfirmButton
              mutation={revokeAll}
              confirm={{
                title: t`Log out everywhere?`,
                description: t`You are logged out on all devices, this one too. To come back you need a new login link.`,
                action: t`Log out`,
                pendingAction: t`Logging out...`,
              }}
            >
              <Trans>Log out everywhere</Trans>
            </ConfirmButton>
          </div>
        </>
      )}
    </QueryView>
  );
}

function SessionListItem({ session }: { session: Session }) {
  const { id, createdAt, lastUsedAt, isCurrent } = session;
  const name = describeDevice(session.name);
  const lastUse = formatRelative(lastUsedAt, useNow());
  const loginDate = formatDate(createdAt);
  const revoke = useMutation({
    mutationFn: () =>
      api.DELETE("/api/auth/sessions/{id}", { params: { path: { id } } }).catch((error) => {
        // One that has ended meanwhile is as good.
        if (!hasStatus(error, 404)) throw error;
      }),
    meta: {
      invalidates: [queryKeys.sessions],
      success: { title: t`Device logged out`, description: name },
      failure: t`Failed to log out the device. Please try again.`,
    },
  });
  const [label, description] = revoke.isPending
    ? [t`Logging out...`, t`Logging out... ${name}`]
    : [t`Log out`, t`Log out ${name}`];
  const Icon = /iPhone|iPad|Android/.test(session.name) ? Smartphone : Monitor;
  return (
    <li className={rowClass}>
      <Icon size={24} strokeWidth={1.6} aria-hidden className="shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold">{name}</span>
          {isCurrent && (
            <span className="rounded-full bg-muted px-2.5 py-0.5 text-sm font-semibold">
              <Trans>This device</Trans>
            </span>
          )}
        </p>
        <p className="text-sm text-muted-foreground">
          <span className="inline-block">
            {isCurrent ? (
              t`In use now.`
            ) : (
              <Trans>
                Last used{" "}
                <time dateTime={lastUsedAt} title={formatDateTime(lastUsedAt)}>
                  {lastUse}
                </time>
                .
              </Trans>
            )}
          </span>{" "}
          <span className="inline-block">
            <Trans>
              Logged in on <time dateTime={createdAt}>{loginDate}</time>.
            </Trans>
          </span>
        </p>
      </div>
      {!isCurrent && (
        <ActionButton mutation={revoke} size="small" aria-label={description}>
          {label}
        </ActionButton>
      )}
    </li>
  );
}

/** A device's name of the server, "Chrome on Linux", in the active language. */
function describeDevice(name: string): string {
  if (name === "Unknown device") return t`Unknown device`;
  const [browser = "", system, ...rest] = name.split(" on ");
  return system && rest.length === 0 ? t`${browser} on ${system}` : name;
}
