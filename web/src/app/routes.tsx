import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { useMe } from "@/api/session";
import { Logo } from "@/ui/logo";
import { FailureNotice } from "@/ui/notice";
import { useScrollPlace } from "./use-scroll-place";

const Landing = lazy(() => import("@/screens/landing"));
const Verify = lazy(() => import("@/screens/verify"));
const Terms = lazy(() => import("@/screens/terms"));
const Privacy = lazy(() => import("@/screens/privacy"));
const Member = lazy(() => import("./member"));

/** Decides by address and session what is shown. */
export function Routes() {
  useScrollPlace();
  return (
    <Suspense fallback={<Splash />}>
      <Switch>
        <Route path="/auth/verify">
          <Verify />
        </Route>
        <Route path="/terms">
          <Terms />
        </Route>
        <Route path="/privacy">
          <Privacy />
        </Route>
        <Route>
          <MemberOrLanding />
        </Route>
      </Switch>
    </Suspense>
  );
}

function MemberOrLanding() {
  const { data: me, error, refetch, isFetching } = useMe();
  if (me) return <Member />;
  if (me === null) return <Landing />;
  if (error && !isFetching) {
    return (
      <main className="flex min-h-dvh items-center justify-center">
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  return <Splash />;
}

function Splash() {
  return (
    <div role="status" className="flex min-h-dvh items-center justify-center">
      <span className="animate-breathe">
        <Logo size={36} markOnly />
      </span>
      <span className="sr-only">Loading...</span>
    </div>
  );
}
