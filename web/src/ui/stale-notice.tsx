import { failureSentence } from "@/api/error";

interface Props {
  /** A query that may have an answer from before and now failed to get a newer one. */
  query: { error: unknown; isRefetchError: boolean; refetch: () => unknown };
}

/** Says above what is still shown that it could not be fetched anew, and offers to try again. */
export function StaleNotice({ query }: Props) {
  return (
    <div role="status">
      {query.isRefetchError && (
        <p className="flex flex-wrap items-center justify-center gap-x-3 border-b border-line bg-wash/60 px-5 py-2.5 text-center text-sm text-muted">
          {failureSentence(query.error)} What you see may be old.
          <button
            type="button"
            onClick={() => void query.refetch()}
            className="min-h-6 font-semibold text-ember-deep hover:underline"
          >
            Retry
          </button>
        </p>
      )}
    </div>
  );
}
