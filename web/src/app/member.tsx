import { useEffect } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { useCurrentUser } from "@/api/auth";
import { PostListSkeleton } from "@/ui/skeleton";
import { ErrorBoundary } from "./error-boundary";
import { fetchAhead } from "./fetch-ahead";
import { memberScreens } from "./screens";
import { Shell } from "./shell";

export default function Member() {
  const search = useSearch();
  const isModerator = useCurrentUser().role !== "member";
  useEffect(fetchAhead, []);
  // The login address leads here too once somebody is logged in.
  if (new URLSearchParams(search).has("login")) return <Redirect href="/" replace />;
  const screens = memberScreens.filter(({ isForStaff }) => isModerator || !isForStaff);
  return (
    <Shell>
      <Switch>
        {screens.map(({ path, Component }) => (
          <Route key={path.source} path={path}>
            {(params) => (
              <ErrorBoundary key={Object.values(params).join("/")} isNested>
                <Component params={params} fallback={<PostListSkeleton label="Loading..." />} />
              </ErrorBoundary>
            )}
          </Route>
        ))}
      </Switch>
    </Shell>
  );
}
