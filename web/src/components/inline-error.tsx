import { Trans } from "@lingui/react/macro";
import { describeError } from "@/api/api-error";

/** Says in a line that a part of a page could not be fetched, and offers to try again. */
export function InlineError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <p role="alert" className="py-3 text-body-sm text-muted-foreground">
      {describeError(error)}{" "}
      <button
        type="button"
        onClick={onRetry}
        className="font-semibold text-primary-strong hover:underline"
      >
        <Trans>Retry</Trans>
      </button>
    </p>
  );
}
