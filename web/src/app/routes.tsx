import { Route, Switch } from "wouter";
import { useSession } from "@/api/auth";
import { ErrorState } from "@/components/error-state";
import { PageTitle } from "@/components/page-title";
import { lazyScreen } from "./lazy-screen";
import { landing, memberCode, openScreens } from "./screens";
import { Splash } from "./splash";
import { useScrollPlace } from "./use-scroll-place";

const Member = lazyScreen(memberCode, null);

export function Routes() {
  useScrollPlace();
  return (
    <Switch>
      {openScreens.map(({ path, Component }) => (
        <Route key={path.source} path={path}>
          <Component />
        </Route>
      ))}
      <Route path={landing.path}>
        <MemberOrLanding />
      </Route>
    </Switch>
  );
}

function MemberOrLanding() {
  const { data: me, error, refetch, isFetching } = useSession();
  if (me) return <Member />;
  if (me === null) return <landing.Component />;
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
