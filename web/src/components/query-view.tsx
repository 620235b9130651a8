import { Trans } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { describeError, hasStatus } from "@/api/api-error";
import { buttonClass } from "@/ui/button";
import { ErrorState } from "./error-state";
import { EmptyState } from "@/ui/empty-state";

export interface QueryViewProps<Data> {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "isRefetchError" | "refetch">;
  loading: ReactNode;
  /** Shown where there is nothing at this URL. */
  notFound?: string;
  /** Shown instead of the error once the session has ended. */
  loggedOut?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Renders the data of a query, or its loading, error and stale states. */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { query, loading, notFound, loggedOut, children } = props;
  const { data, error } = query;
  if (notFound !== undefined && hasStatus(error, 400, 404)) {
    return (
      <EmptyState title={notFound}>
        <Link href="/" className={buttonClass("outline")}>
          <Trans>Back to home</Trans>
        </Link>
      </EmptyState>
    );
  }
  if (data === undefined) {
    if (loggedOut && hasStatus(error, 401)) return loggedOut;
    return error ? <ErrorState error={error} onRetry={() => void query.refetch()} /> : loading;
  }
  return (
    <>
      <div role="status">
        {query.isRefetchError && (
          <p className="flex flex-wrap items-center justify-center gap-x-3 border-b border-border bg-muted/60 px-5 py-2.5 text-center text-sm text-muted-foreground">
            {describeError(error)} <Trans>What you see may be old.</Trans>
            <button
              type="button"
              onClick={() => void query.refetch()}
              className="min-h-6 font-semibold text-primary-strong hover:underline"
            >
              <Trans>Retry</Trans>
            </button>
          </p>
        )}
      </div>
      {children(data)}
    </>
  );
}
