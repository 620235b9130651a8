import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { Redirect, Route, Switch } from "wouter";
import { usePathname, useSearch } from "wouter/use-browser-location";
import { useCurrentUser } from "@/api/auth";
import { PostListSkeleton } from "@/ui/skeleton";
import { ErrorBoundary } from "./error-boundary";
import { prefetchScreens } from "./prefetch-screens";
import { memberScreens } from "./screens";
import { AppShell } from "./app-shell";
import { useLaunchTarget, useServiceWorker } from "./use-installed-app";
import { useLiveUpdates } from "./use-live-updates";

export default function AuthenticatedApp() {
  const path = usePathname();
  const search = useSearch();
  const isModerator = useCurrentUser().role !== "member";
  useEffect(prefetchScreens, []);
  useLiveUpdates();
  useServiceWorker();
  useLaunchTarget();
  // The URLs of the login and of invite links lead here, too, once a member is logged in.
  const query = new URLSearchParams(search);
  if (query.has("login") || (path === "/" && query.has("invite"))) {
    return <Redirect href="/" replace />;
  }
  const screens = memberScreens.filter(({ isModeratorOnly }) => isModerator || !isModeratorOnly);
  return (
    <AppShell>
      <Switch>
        {screens.map(({ path: pattern, Component }) => (
          <Route key={pattern.source} path={pattern}>
            {(params) => (
              <ErrorBoundary key={Object.values(params).join("/")} isNested>
                <Component params={params} fallback={<PostListSkeleton label={t`Loading...`} />} />
              </ErrorBoundary>
            )}
          </Route>
        ))}
      </Switch>
    </AppShell>
  );
}
