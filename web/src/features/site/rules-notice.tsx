import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { useCurrentUser } from "@/api/auth";
import { queryKeys } from "@/api/query-keys";
import { acceptRules } from "@/api/site";
import { site } from "@/lib/site";
import { useStore } from "@/lib/state/store";
import { ActionButton } from "@/ui/action-button";
import { Button } from "@/ui/button";
import { useClosedVersion } from "./use-closed-version";

/** Says above the feed that the rules are new or have changed, until the member agrees or closes it. */
export function RulesNotice() {
  const { id, usernameIsProvisional, acceptedRulesVersion } = useCurrentUser();
  const { name: siteName, rulesVersion } = useStore(site);
  const [closedVersion, close] = useClosedVersion(`kith:rules-seen:${id}`);
  const accept = useMutation({
    mutationFn: () => acceptRules(rulesVersion),
    meta: {
      failure: t`Failed to agree to the rules. Please try again.`,
      invalidates: [queryKeys.currentUser],
    },
  });
  // New members agree when they choose their username.
  if (usernameIsProvisional) return null;
  if (rulesVersion <= Math.max(acceptedRulesVersion, closedVersion)) return null;

  return (
    <div className="px-4 pb-5 sm:px-5">
      <section
        aria-label={t`Changed rules`}
        className="flex flex-wrap items-center justify-between gap-4 rounded-2xl border border-border bg-muted/60 p-5"
      >
        <p className="min-w-0 wrap-anywhere">
          {acceptedRulesVersion === 0 ? (
            <Trans>
              {siteName} has{" "}
              <Link href="/rules" className="underline underline-offset-2">
                rules
              </Link>{" "}
              now.
            </Trans>
          ) : (
            <Trans>
              The{" "}
              <Link href="/rules" className="underline underline-offset-2">
                rules
              </Link>{" "}
              of {siteName} have changed.
            </Trans>
          )}
        </p>
        <div className="flex gap-3">
          <ActionButton mutation={accept} variant="primary" pending={t`Agreeing...`}>
            <Trans>Agree</Trans>
          </ActionButton>
          <Button variant="ghost" onClick={() => close(rulesVersion)}>
            <Trans>Not now</Trans>
          </Button>
        </div>
      </section>
    </div>
  );
}
