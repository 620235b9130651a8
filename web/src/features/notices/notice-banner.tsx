import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "wouter";
import { useCurrentUser } from "@/api/auth";
import { buttonClass } from "@/ui/button";

/** Says above the feed that there are notices of the moderators, until they are read. */
export function NoticeBanner() {
  const { unreadNotices } = useCurrentUser();
  if (!(unreadNotices > 0)) return null;
  return (
    <div className="px-4 pb-5 sm:px-5">
      <section
        aria-label={t`Notices from the moderators`}
        className="flex flex-wrap items-center justify-between gap-4 rounded-2xl border border-border bg-muted/60 p-5"
      >
        <p className="min-w-0">
          {plural(unreadNotices, {
            one: "You have a notice from the moderators",
            other: "You have # notices from the moderators",
          })}
        </p>
        <Link href="/settings/notices" className={buttonClass("outline")}>
          {unreadNotices === 1 ? <Trans>Read it</Trans> : <Trans>Read them</Trans>}
        </Link>
      </section>
    </div>
  );
}
