import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ApiError, describeError } from "@/api/api-error";
import { Button } from "@/ui/button";

/** The error of a list or a page, with a Retry button. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-4 px-8 py-16 text-center">
      <p className="max-w-md font-serif text-section-title text-balance">{describeError(error)}</p>
      {error instanceof ApiError && (
        <p className="text-sm text-muted-foreground tabular-nums">
          {error.status}: {error.statusText || t`Request failed`}
        </p>
      )}
      <Button variant="outline" onClick={onRetry}>
        <Trans>Retry</Trans>
      </Button>
    </div>
  );
}
