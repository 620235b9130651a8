import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import { Link, useLocation, useRoute } from "wouter";
import { useCurrentUser } from "@/api/auth";
import { refetchStaleSuggestions } from "@/api/users";
import { renderFollowButton } from "@/features/follows/follow-button";
import { WhoToFollow } from "@/features/users/who-to-follow";
import { Trending } from "@/features/tags/trending";
import { isBlank } from "@/lib/text/post-text";
import { layoutQueries, useMediaQuery } from "@/lib/hooks/use-media-query";
import { LegalLinks } from "@/components/legal-links";
import { SearchField } from "@/ui/search-field";
import { useNetworkIdle } from "./use-network-idle";

const SUGGESTION_COUNT = 3;

/** The right column of wide screens; others do not fetch what it shows. */
export function RightRail() {
  const { invitesAvailable, invitesFrozen } = useCurrentUser();
  const isWide = useMediaQuery(layoutQueries.rail);
  if (!isWide) return null;
  return (
    <aside
      aria-label={t`More`}
      className="sticky top-0 flex h-dvh w-72 shrink-0 flex-col gap-8 overflow-y-auto py-5 pe-1 ps-6 [scrollbar-width:thin] xl:w-80 xl:ps-8"
    >
      <RightRailDiscover />
      <section aria-labelledby="rail-invites">
        <h2 id="rail-invites" className="font-serif text-section-title">
          <Trans>Bring someone real</Trans>
        </h2>
        <p className="mt-1.5 text-body-sm text-muted-foreground">
          {invitesFrozen
            ? t`A moderator has frozen your invites.`
            : invitesAvailable > 0
              ? plural(invitesAvailable, {
                  one: "You have # invite to give to a friend.",
                  other: "You have # invites to give to a friend.",
                })
              : t`You have given all your invites. 3 more come next month.`}
        </p>
        <Link
          href="/invites"
          className="mt-0.5 inline-flex h-11 items-center font-semibold text-primary-strong hover:underline"
        >
          <Trans>Invite Friends</Trans>
        </Link>
      </section>
      <footer className="flex flex-wrap gap-x-5 gap-y-2 border-t border-border pt-5 text-sm text-muted-foreground">
        <LegalLinks />
      </footer>
    </aside>
  );
}

/** The short form of Discover in the right column. Discover itself leaves only its topics to it. */
function RightRailDiscover() {
  const isIdle = useNetworkIdle();
  const [path] = useLocation();
  const [isOnDiscover] = useRoute("/discover");
  // Followed members leave the suggestions when the page changes, so that the list does not move under the pointer.
  useEffect(refetchStaleSuggestions, [path]);
  if (isOnDiscover) return <Trending deferred={!isIdle} />;
  return (
    <>
      <RightRailSearch />
      <Trending deferred={!isIdle} />
      <WhoToFollow
        compact
        deferred={!isIdle}
        limit={SUGGESTION_COUNT}
        renderAction={renderFollowButton}
        excludedUsername={/^\/profile\/([^/]+)/.exec(path)?.[1]?.toLowerCase()}
        more={
          <Link
            href="/discover"
            className="mt-2 -ms-3 inline-flex h-9 items-center pointer-coarse:h-11 rounded-full px-3 text-body-sm font-semibold text-primary-strong hover:bg-muted"
          >
            <Trans>Discover more people</Trans>
          </Link>
        }
      />
    </>
  );
}

function RightRailSearch() {
  const [searchText, setSearchText] = useState("");
  const [, navigate] = useLocation();
  function search() {
    if (isBlank(searchText)) return;
    navigate(`/discover?${new URLSearchParams({ q: searchText.trim() }).toString()}`);
  }
  return <SearchField value={searchText} onChange={setSearchText} onSubmit={search} />;
}
