import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { ErrorCatcher } from "@/components/error-catcher";
import { Button } from "@/ui/button";

/** Catches unexpected errors of a screen, and shows a Reload button instead of a blank page. */
export function ErrorBoundary({ isNested, children }: { isNested?: boolean; children: ReactNode }) {
  // Inside the frame of the app there is a main part already.
  const Frame = isNested ? "div" : "main";
  return (
    <ErrorCatcher
      source="page"
      renderFallback={() => (
        <Frame className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-5 px-6 text-center">
          <h1 className="font-serif text-5xl leading-tight">
            <Trans>Something broke</Trans>
          </h1>
          <p role="alert" className="text-lg text-balance text-muted-foreground">
            <Trans>
              This page stopped working. What you were writing is kept. Please load it again.
            </Trans>
          </p>
          <Button size="large" onClick={() => location.reload()}>
            <Trans>Reload</Trans>
          </Button>
        </Frame>
      )}
    >
      {children}
    </ErrorCatcher>
  );
}
