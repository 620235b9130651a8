import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Button } from "@/ui/button";
import { ErrorCatcher } from "./error-catcher";

interface Props {
  /** The element of a row. */
  as?: "div" | "li";
  children: ReactNode;
}

/** Keeps a row that stops working because of a defect from taking the list with it. */
export function RowBoundary({ as: Row = "div", children }: Props) {
  return (
    <ErrorCatcher
      source="row"
      renderFallback={(retry) => (
        <Row className="flex items-center justify-between gap-4 border-b border-border px-4 py-3 text-muted-foreground sm:px-5">
          <Trans>This can't be shown.</Trans>
          <Button variant="outline" size="small" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        </Row>
      )}
    >
      {children}
    </ErrorCatcher>
  );
}
