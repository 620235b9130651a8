import { useState } from "react";
import { Route, Switch } from "wouter";
import { ApiError, describeError } from "@/api/api-error";
import { useSession } from "@/api/auth";
import { ErrorState } from "@/components/error-state";
import { PageTitle } from "@/components/page-title";
import { toastError } from "@/lib/state/toast";
import { getHintedUserId } from "@/lib/storage/session-hint";
import { getSiteName } from "@/lib/site";
import { lazyScreen } from "./lazy-screen";
import { landing, authenticatedAppModule, OfflineScreen, publicScreens } from "./screens";
import { Splash } from "./splash";
import { useScrollRestoration } from "./use-scroll-restoration";

const AuthenticatedApp = lazyScreen(authenticatedAppModule, null);

export function Routes() {
  useScrollRestoration();
  return (
    <Switch>
      {publicScreens.map(({ path, Component }) => (
        <Route key={path.source} path={path}>
          <Component />
        </Route>
      ))}
      <Route path={landing.path}>
        <AuthenticatedOrLanding />
      </Route>
    </Switch>
  );
}

function AuthenticatedOrLanding() {
  const { data: currentUser, error, refetch, isFetching } = useSession();
  // While it is tried again there is no error, and what is being written must stay on screen.
  const [lastError, setLastError] = useState(error);
  if (error && error !== lastError) setLastError(error);
  async function retryOffline() {
    const { error: failure } = await refetch();
    // The screen stays as it is: without a word it would seem that nothing has happened.
    if (failure && !(failure instanceof ApiError)) toastError(describeError(failure));
  }
  if (currentUser) return <AuthenticatedApp />;
  if (currentUser === null) return <landing.Component />;
  const userId = getHintedUserId();
  if (userId && lastError && !(lastError instanceof ApiError)) {
    return <OfflineScreen params={{ userId, isRetrying: isFetching, onRetry: retryOffline }} />;
  }
  if (error && !isFetching) {
    return (
      <main tabIndex={-1} className="flex min-h-dvh items-center justify-center outline-none">
        <PageTitle title="" />
        <h1 className="sr-only">{getSiteName()}</h1>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  return <Splash />;
}
