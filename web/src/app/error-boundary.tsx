import { Trans } from "@lingui/react/macro";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { Button } from "@/ui/button";

interface ErrorState {
  hasError: boolean;
}

/** Catches what no screen expected, and offers a fresh start instead of a blank page. */
export class ErrorBoundary extends Component<{ isNested?: boolean; children: ReactNode }> {
  override state: ErrorState = { hasError: false };

  static getDerivedStateFromError(): ErrorState {
    return { hasError: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.hasError) return this.props.children;
    // Inside the frame of the app there is a main part already.
    const Frame = this.props.isNested ? "div" : "main";
    return (
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
    );
  }
}
