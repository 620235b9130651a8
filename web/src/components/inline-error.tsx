import { Trans } from "@lingui/react/macro";
import { describeError } from "@/api/api-error";

/** A line about a part of a page that could not be loaded, with a Retry button. */
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
