import { Component, type ErrorInfo, type ReactNode } from "react";
import { reportClientError } from "@/api/client-errors";

interface Props {
  /** The failed part, as named in the report. */
  source: "page" | "row";
  /** Shown in place of the children after an error; `retry` renders them again. */
  renderFallback: (retry: () => void) => ReactNode;
  children: ReactNode;
}

/** Replaces children that throw while they render, and reports the error. */
export class ErrorCatcher extends Component<Props, { hasError: boolean }> {
  override state = { hasError: false };

  static getDerivedStateFromError() {
    return { hasError: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
    reportClientError(this.props.source, error);
  }

  override render(): ReactNode {
    const { renderFallback, children } = this.props;
    return this.state.hasError
      ? renderFallback(() => this.setState({ hasError: false }))
      : children;
  }
}
