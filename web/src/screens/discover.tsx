import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "wouter";
import { hasStatus } from "@/api/api-error";
import { queryClient } from "@/api/query-client";
import { userSearchQuery, suggestionsQuery } from "@/api/users";
import { renderFollowButton } from "@/features/follows/follow-button";
import { UserListItem } from "@/features/users/user-list-item";
import { UserListSkeleton } from "@/features/users/user-list-skeleton";
import { WhoToFollow } from "@/features/users/who-to-follow";
import { Trending, trendingQuery } from "@/features/tags/trending";
import { cx } from "@/lib/dom/cx";
import { layoutQueries, useMediaQuery } from "@/lib/hooks/use-media-query";
import { useSearchParamInput } from "@/lib/hooks/use-search-param-input";
import { buttonClass } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { QueryView } from "@/components/query-view";
import { SearchField } from "@/ui/search-field";

const SUGGESTION_LIMIT = 10;

export const prefetch = () =>
  Promise.all([
    queryClient.prefetchQuery(trendingQuery),
    queryClient.prefetchQuery(suggestionsQuery),
  ]);

export default function Discover() {
  const { value, setValue, term, isPending, submit } = useSearchParamInput();
  return (
    <>
      <header className="px-4 pt-5 pb-5 sm:px-5">
        <h1 className="mb-5 font-serif text-page-title">
          <Trans>Discover</Trans>
        </h1>
        <SearchField value={value} onChange={setValue} onSubmit={submit} />
      </header>
      {term === "" ? <Suggestions /> : <Search term={term} isTyping={isPending} />}
    </>
  );
}

function Suggestions() {
  // Coming here is asking what is new; what is known already stays in sight meanwhile.
  const topics = useQuery({ ...trendingQuery, refetchOnMount: "always" });
  const hasRail = useMediaQuery(layoutQueries.rail);
  const people = useQuery({ ...suggestionsQuery, refetchOnMount: "always" });
  if (hasStatus(topics.error, 401) || hasStatus(people.error, 401)) return <LoggedOut />;
  return (
    <>
      {!hasRail && (
        <div className="px-4 pb-8 sm:px-5">
          <Trending twoColumns />
        </div>
      )}
      <WhoToFollow limit={SUGGESTION_LIMIT} renderAction={renderFollowButton} />
    </>
  );
}

function LoggedOut() {
  return (
    <EmptyState title={t`Please log in to discover users.`}>
      <a href="/api/login" className={buttonClass("outline")}>
        <Trans>Login</Trans>
      </a>
    </EmptyState>
  );
}

function Search({ term, isTyping }: { term: string; isTyping: boolean }) {
  const query = useQuery({ ...userSearchQuery(term), placeholderData: keepPreviousData });
  const headingId = useId();
  const { data, error } = query;
  if (hasStatus(error, 401)) return <LoggedOut />;
  const isSearching = isTyping || query.isPlaceholderData || query.isPending;
  const count = data?.length ?? 0;
  return (
    <section aria-labelledby={headingId} className="border-t border-border">
      <div className="flex items-baseline justify-between gap-4 px-4 pt-5 pb-2 sm:px-5">
        <h2 id={headingId} className="font-serif text-section-title">
          <Trans>Search Results</Trans>
        </h2>
        <p role="status" className="text-body-sm text-muted-foreground">
          {isSearching && t`Searching...`}
          {!isSearching && count > 0 && (
            <span className="sr-only">
              {plural(count, { one: "# member found", other: "# members found" })}
            </span>
          )}
        </p>
      </div>
      <div className={cx("transition-opacity", isSearching && data && "opacity-55")}>
        {!data && hasStatus(error, 400) ? (
          // The server would reject the same term again.
          <EmptyState
            title={error.serverMessage ?? t`That search isn't valid. Try a name or username.`}
          />
        ) : (
          <QueryView
            query={query}
            loading={
              <div aria-hidden>
                <UserListSkeleton count={4} />
              </div>
            }
          >
            {(found) => (
              <>
                {found.length === 0 && <NoSearchResults term={term} />}
                <ul>
                  {found.map((user) => (
                    <UserListItem key={user.id} user={user} renderAction={renderFollowButton} />
                  ))}
                </ul>
              </>
            )}
          </QueryView>
        )}
      </div>
    </section>
  );
}

function NoSearchResults({ term }: { term: string }) {
  const title = (
    <>
      <Trans>
        No users found for “<bdi className="wrap-anywhere">{term}</bdi>”.
      </Trans>
    </>
  );
  return (
    <EmptyState title={title}>
      <Link href="/invites" className={buttonClass("outline")}>
        <Trans>Invite Friends</Trans>
      </Link>
    </EmptyState>
  );
}
