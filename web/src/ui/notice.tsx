import type { ReactNode } from "react";
import { ApiError, describeError } from "@/api/api-error";
import { Button } from "./button";

/** A sentence in the middle of an otherwise empty place, with at most one thing to do. */
export function Notice({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-5 px-8 py-16 text-center">
      <p className="max-w-md font-serif text-[26px] leading-8 text-balance [overflow-wrap:anywhere]">
        {title}
      </p>
      {children}
    </div>
  );
}

/** Says what went wrong with a list or a page and offers to try again. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-4 px-8 py-16 text-center">
      <p className="max-w-md font-serif text-[26px] leading-8 text-balance">
        {describeError(error)}
      </p>
      {error instanceof ApiError && (
        <p className="text-sm text-muted tabular-nums">
          {error.status}: {error.statusText || "Request failed"}
        </p>
      )}
      <Button look="outline" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
