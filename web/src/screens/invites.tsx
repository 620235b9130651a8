import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { invitesQuery } from "@/api/invites";
import { useMember } from "@/api/session";
import type { Invite } from "@/api/types";
import { ActiveInvites, UsedInvites } from "@/features/invites/invite-list";
import { useCreateInvite } from "@/features/invites/use-create-invite";
import { Vouches } from "@/features/waitlist/vouches";
import { useNow } from "@/lib/use-now";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { FailureNotice } from "@/ui/notice";
import { onFirstClick } from "@/ui/on-first-click";
import { StaleNotice } from "@/ui/stale-notice";
import { Bone } from "@/ui/skeleton";

/** The member's invite codes. */
export default function Invites() {
  useTitle("Invite Friends");
  const { invitesAvailable } = useMember();
  const create = useCreateInvite();
  const disabled = invitesAvailable < 1 || create.isPending;
  return (
    <div className="px-4 pb-16 sm:px-5">
      <h1 className="pt-5 font-serif text-[32px] leading-none">Invite Friends</h1>
      <section
        aria-label="Available invites"
        className="flex flex-wrap items-end justify-between gap-x-8 gap-y-6 border-b border-line pt-8 pb-8"
      >
        <div className="flex items-end gap-5">
          <span className="font-serif text-[88px] leading-[0.75] text-ember-deep tabular-nums">
            {invitesAvailable}
          </span>
          <p className="text-muted">
            <span className="block font-semibold text-ink">
              {invitesAvailable === 1 ? "invite available" : "invites available"}
            </span>
            You get 3 more invites next month.
          </p>
        </div>
        <Button size="large" disabled={disabled} onClick={onFirstClick(() => create.mutate())}>
          {create.isPending ? "Generating..." : "Generate Invite Code"}
        </Button>
      </section>
      <Codes />
      <Group title="Vouch for a friend">
        <Vouches />
      </Group>
    </div>
  );
}

function Codes() {
  const query = useQuery(invitesQuery);
  const { data, error } = query;
  const now = useNow();
  if (!data) {
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return <CodeSkeletons />;
  }
  const isActive = (invite: Invite) => !invite.isUsed && Date.parse(invite.expiresAt) > now;
  const active = data.filter(isActive);
  const used = data.filter((invite) => invite.isUsed);
  return (
    <>
      <StaleNotice query={query} />
      <Group title="Active Invites">
        {active.length > 0 ? (
          <ActiveInvites invites={active} />
        ) : (
          <p className="py-4 text-muted">
            No active invites. A code you generate is good for 7 days and lets one friend in.
          </p>
        )}
      </Group>
      {used.length > 0 && (
        <Group title="Used Invites">
          <UsedInvites invites={used} />
        </Group>
      )}
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="pt-9">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function CodeSkeletons() {
  return (
    <div role="status" className="space-y-6 pt-10">
      <span className="sr-only">Loading...</span>
      <Bone className="h-5 w-36" />
      <Bone className="h-5 w-64" />
      <Bone className="h-5 w-56" />
    </div>
  );
}
