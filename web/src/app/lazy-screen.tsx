import type { MessageDescriptor } from "@lingui/core";
import { t } from "@lingui/core/macro";
import type { ComponentType, ReactNode } from "react";
import { type LazyModule, lazyComponent } from "@/lib/state/lazy-module";
import { toastError } from "@/lib/state/toast";
import { ErrorState } from "@/components/error-state";
import { PageTitle } from "@/components/page-title";
import { getSiteName } from "@/lib/site";
import { Splash } from "./splash";

const splash = <Splash />;

/**
 * A screen whose code is fetched when it is first shown. If that fails, without a network or because the
 * server has a newer version, it shows an error in place of the screen.
 */
export function lazyScreen(
  code: LazyModule<{ default: ComponentType<never> }>,
  title: MessageDescriptor | "" | null,
) {
  const Content = lazyComponent(code as LazyModule<{ default: ComponentType<object> }>, LoadFailed);
  return function Screen({ params, fallback = splash }: { params?: object; fallback?: ReactNode }) {
    return (
      <>
        {title !== null && <PageTitle title={title && t(title)} />}
        <Content props={params ?? {}} fallback={fallback} />
      </>
    );
  };
}

function LoadFailed() {
  return (
    <>
      <h1 className="sr-only">{getSiteName()}</h1>
      <ErrorState error={null} onRetry={reloadPage} />
    </>
  );
}

/** Reloads the page: a document may cache the failure to fetch a module. */
function reloadPage(): void {
  if (navigator.onLine) location.reload();
  else toastError(t`You are offline.`);
}
