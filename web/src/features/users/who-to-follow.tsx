import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { suggestionsQuery } from "@/api/users";
import { getReasonText } from "@/components/reason-text";
import { InlineError } from "@/components/inline-error";
import type { User } from "@/api/types";
import { UserListItem } from "./user-list-item";
import { UserListSkeleton } from "./user-list-skeleton";

interface Props {
  limit: number;
  excludedUsername?: string | undefined;
  /** Whether something more important is fetched first. */
  deferred?: boolean;
  /** In a narrow column, which has its own margins. */
  compact?: boolean;
  more?: ReactNode;
  renderAction: (user: User) => ReactNode;
}

export function WhoToFollow(props: Props) {
  const { limit, excludedUsername, deferred = false, compact = false, more, renderAction } = props;
  const { data, error, refetch } = useQuery({ ...suggestionsQuery, enabled: !deferred });
  const rows = data?.filter(({ username }) => username !== excludedUsername).slice(0, limit);
  const headingId = useId();
  const margin = compact ? "" : "px-4 sm:px-5";
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={`${margin} font-serif text-section-title`}>
        <Trans>Who to follow</Trans>
      </h2>
      {rows && rows.length > 0 && (
        <>
          <ul>
            {rows.map((user) => (
              <UserListItem
                key={user.id}
                user={user}
                reason={getReasonText(user.reason)}
                compact={compact}
                renderAction={renderAction}
              />
            ))}
          </ul>
          {more}
        </>
      )}
      <div className={margin}>
        {rows?.length === 0 && (
          <p className="py-3 text-body-sm text-muted-foreground">
            <span>
              <Trans>No suggestions available.</Trans>
            </span>{" "}
            {!compact && (
              <Link href="/invites" className="font-semibold text-primary-strong hover:underline">
                <Trans>Invite Friends</Trans>
              </Link>
            )}
          </p>
        )}
        {!data && error && <InlineError error={error} onRetry={() => void refetch()} />}
      </div>
      {!data && !error && (
        <UserListSkeleton
          label={t`Loading suggestions...`}
          count={Math.min(limit, 4)}
          compact={compact}
        />
      )}
    </section>
  );
}
