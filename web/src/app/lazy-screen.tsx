import type { ComponentType, ReactNode } from "react";
import { type LazyModule, lazyComponent } from "@/lib/state/lazy-module";
import { toastError } from "@/lib/state/toast";
import { ErrorState } from "@/components/error-state";
import { PageTitle } from "@/components/page-title";
import { Splash } from "./splash";

const splash = <Splash />;

/**
 * A screen whose code is fetched when it is first shown. Without a network, or when the server has
 * a newer version by then, it says so in the screen's place instead of breaking the page.
 */
export function lazyScreen(
  code: LazyModule<{ default: ComponentType<never> }>,
  title: string | null,
) {
  const Late = lazyComponent(code as LazyModule<{ default: ComponentType<object> }>, Missing);
  return function Screen({ params, fallback = splash }: { params?: object; fallback?: ReactNode }) {
    return (
      <>
        {title !== null && <PageTitle title={title} />}
        <Late props={params ?? {}} fallback={fallback} />
      </>
    );
  };
}

function Missing() {
  return (
    <>
      <h1 className="sr-only">Kith</h1>
      <ErrorState error={null} onRetry={startAgain} />
    </>
  );
}

/** Browsers may remember that code could not be fetched; a new page asks again for sure. */
function startAgain(): void {
  if (navigator.onLine) location.reload();
  else toastError("You are offline.");
}
