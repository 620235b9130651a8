import { Route, Switch } from "wouter";
import { useSession } from "@/api/auth";
import { ErrorState } from "@/components/error-state";
import { PageTitle } from "@/components/page-title";
import { lazyScreen } from "./lazy-screen";
import { landing, authenticatedAppModule, publicScreens } from "./screens";
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
  if (currentUser) return <AuthenticatedApp />;
  if (currentUser === null) return <landing.Component />;
  if (error && !isFetching) {
    return (
      <main tabIndex={-1} className="flex min-h-dvh items-center justify-center outline-none">
        <PageTitle title="" />
        <h1 className="sr-only">Kith</h1>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  return <Splash />;
}
