import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { api } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import { useCurrentUser } from "@/api/auth";
import { InviteLists } from "@/features/invites/invite-lists";
import { Vouches } from "@/features/invites/vouches";
import { site } from "@/lib/site";
import { useStore } from "@/lib/state/store";
import { Button } from "@/ui/button";
import { ignoreDoubleClick } from "@/ui/ignore-double-click";
import { Section } from "@/ui/section";

export default function Invites() {
  const { invitesAvailable, invitesFrozen } = useCurrentUser();
  const { registration, invitesPerMonth } = useStore(site);
  const create = useMutation({
    mutationFn: () => api.POST("/api/invites"),
    meta: {
      success: { title: t`Invite created` },
      failure: t`Failed to create invite code. You may have reached your limit.`,
      invalidates: [queryKeys.invites, queryKeys.currentUser],
    },
  });
  const disabled = invitesAvailable < 1 || create.isPending;
  return (
    <div className="px-4 pb-16 sm:px-5">
      <h1 className="pt-5 font-serif text-page-title">
        <Trans>Invite Friends</Trans>
      </h1>
      <section
        aria-label={t`Available invites`}
        className="flex flex-wrap items-end justify-between gap-x-8 gap-y-6 border-b border-border pt-8 pb-8"
      >
        {registration === "closed" ? (
          <p className="max-w-md">
            <span className="block font-semibold">
              <Trans>Registration is closed</Trans>
            </span>
            <Trans>
              You can't make new codes for now, and the codes you've already made don't work
              meanwhile.
            </Trans>
          </p>
        ) : invitesFrozen ? (
          <p className="max-w-md">
            <span className="block font-semibold">
              <Trans>Your invites are frozen</Trans>
            </span>
            <Trans>
              A moderator has frozen your invites. You can't make new codes for now, and the codes
              you've already made don't work meanwhile.
            </Trans>
          </p>
        ) : (
          <div className="flex items-end gap-5">
            <span className="font-serif text-figure text-primary-strong tabular-nums">
              {invitesAvailable}
            </span>
            <p className="text-muted-foreground">
              <span className="block font-semibold text-foreground">
                {plural(invitesAvailable, { one: "invite available", other: "invites available" })}
              </span>
              {invitesPerMonth > 0 &&
                plural(invitesPerMonth, {
                  one: "You get # more invite next month.",
                  other: "You get # more invites next month.",
                })}
            </p>
          </div>
        )}
        <Button size="large" disabled={disabled} onClick={ignoreDoubleClick(() => create.mutate())}>
          {create.isPending ? t`Generating...` : t`Generate Invite Code`}
        </Button>
      </section>
      <InviteLists />
      <Section title={t`Vouch for a friend`}>
        <Vouches />
      </Section>
    </div>
  );
}
