import { Suspense } from "react";
import { Route, Switch } from "wouter";
import { useMe } from "@/api/session";
import { Logo } from "@/ui/logo";
import { FailureNotice } from "@/ui/notice";
import { anyAddress } from "./any-address";
import { lazyScreen } from "./lazy-screen";
import { code } from "./screen-code";
import { useScrollPlace } from "./use-scroll-place";

const Landing = lazyScreen(code.landing);
const Verify = lazyScreen(code.verify);
const ConfirmEmail = lazyScreen(code.confirmEmail);
const Terms = lazyScreen(code.terms);
const Privacy = lazyScreen(code.privacy);
const Member = lazyScreen(code.member);

/** Decides by address and session what is shown. */
export function Routes() {
  useScrollPlace();
  return (
    <Suspense fallback={<Splash />}>
      <Switch>
        <Route path="/auth/verify">
          <Verify />
        </Route>
        <Route path="/account/confirm">
          <ConfirmEmail />
        </Route>
        <Route path="/terms">
          <Terms />
        </Route>
        <Route path="/privacy">
          <Privacy />
        </Route>
        <Route path={anyAddress}>
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
      <main tabIndex={-1} className="flex min-h-dvh items-center justify-center outline-none">
        <h1 className="sr-only">Kith</h1>
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
