import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Link } from "wouter";
import { api, apiQueryOptions } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import { formatCompact } from "@/lib/text/format-number";
import { cx } from "@/lib/dom/cx";
import { getHashtagHref } from "@/lib/text/hashtag";
import { InlineError } from "@/components/inline-error";
import { Skeleton, SkeletonList } from "@/ui/skeleton";

const TOPIC_LIMIT = 50;
/** How many topics are pinned; they come first. */
const PINNED_TOPIC_COUNT = 6;

/** The pinned topics, then the tags that most people use, each with its posts of the last 7 days. */
export const trendingQuery = apiQueryOptions(queryKeys.trending, () =>
  api.GET("/api/trending", { params: { query: { limit: TOPIC_LIMIT } } }),
);

const twoColumnClass = "grid grid-cols-2 gap-x-6";

interface Props {
  twoColumns?: boolean;
  /** Whether something more important is fetched first. */
  deferred?: boolean;
}

/** The pinned topics, and on request the tags that trend. */
export function Trending({ twoColumns = false, deferred = false }: Props) {
  const { data, error, refetch } = useQuery({ ...trendingQuery, enabled: !deferred });
  const [open, setOpen] = useState(false);
  const headingId = useId();
  const listId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="font-serif text-section-title">
        <Trans>Trending</Trans>
      </h2>
      {data && (
        <>
          <ul id={listId} className={cx(twoColumns && twoColumnClass)}>
            {(open ? data : data.slice(0, PINNED_TOPIC_COUNT)).map((topic) => (
              <li key={topic.tag} className="min-w-0 border-b border-border">
                <Link
                  href={getHashtagHref(topic.tag)}
                  className={cx(
                    "group block leading-5 focus-visible:-outline-offset-2",
                    twoColumns ? "py-3" : "py-2",
                  )}
                >
                  {topic.category !== null && (
                    <span className="block text-sm text-muted-foreground">{topic.category}</span>
                  )}
                  <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                    <bdi className="max-w-full truncate font-semibold group-hover:underline">
                      {topic.tag}
                    </bdi>
                    <span className="shrink-0 text-sm text-muted-foreground tabular-nums">
                      {describePostCount(topic.postCount)}
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {open && data.length <= PINNED_TOPIC_COUNT && (
            <p className="pt-3 text-body-sm text-muted-foreground">
              <Trans>Nothing else trends this week.</Trans>
            </p>
          )}
          <button
            type="button"
            aria-expanded={open}
            aria-controls={listId}
            onClick={() => setOpen(!open)}
            className="mt-2 -ms-3 h-9 rounded-full px-3 text-body-sm font-semibold text-primary-strong hover:bg-muted"
          >
            {open ? t`Show less` : t`Show more`}
          </button>
        </>
      )}
      {!data && error && <InlineError error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <SkeletonList
          count={PINNED_TOPIC_COUNT}
          layout={cx("mb-11", twoColumns && twoColumnClass)}
          className={cx("space-y-3.25 border-b border-border", twoColumns ? "py-3.5" : "py-2.5")}
        >
          {() => (
            <>
              <Skeleton className="h-2.5 w-16 opacity-60" />
              <Skeleton className="h-3.5 w-28" />
            </>
          )}
        </SkeletonList>
      )}
    </section>
  );
}

function describePostCount(postCount: number): string {
  const count = formatCompact(postCount);
  return plural(postCount, { one: `${count} post`, other: `${count} posts` });
}
