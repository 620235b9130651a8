import { Suspense, useEffect } from "react";
import { Redirect, Route, Switch, useSearch } from "wouter";
import Home from "@/screens/home";
import { tagOfAddress } from "@/lib/tag";
import { PostSkeletons } from "@/ui/skeleton";
import { fetchAhead } from "./head-start";
import { lazyScreen } from "./lazy-screen";
import { Shell } from "./shell";

const Thread = lazyScreen(() => import("@/screens/thread"));
const Tag = lazyScreen(() => import("@/screens/tag"));
const Profile = lazyScreen(() => import("@/screens/profile"));
const FollowList = lazyScreen(() => import("@/screens/follow-list"));
const Discover = lazyScreen(() => import("@/screens/discover"));
const Notifications = lazyScreen(() => import("@/screens/notifications"));
const Invites = lazyScreen(() => import("@/screens/invites"));
const Settings = lazyScreen(() => import("@/screens/settings"));
const NotFound = lazyScreen(() => import("@/screens/not-found"));

/** The member's part of the app. */
export default function Member() {
  const search = useSearch();
  useEffect(fetchAhead, []);
  // The login address leads here too once somebody is logged in.
  if (new URLSearchParams(search).has("login")) return <Redirect href="/" replace />;
  return (
    <Shell>
      <Suspense fallback={<PostSkeletons label="Loading..." />}>
        <Switch>
          <Route path="/">
            <Home />
          </Route>
          <Route path="/post/:id">{({ id }) => <Thread key={id} id={id} />}</Route>
          <Route path="/tag/:tag">{({ tag }) => <Tag key={tag} tag={tagOfAddress(tag)} />}</Route>
          <Route path="/profile/:username">
            {({ username }) => <Profile key={username} username={username} />}
          </Route>
          <Route path="/discover">
            <Discover />
          </Route>
          {(["followers", "following"] as const).map((side) => (
            <Route key={side} path={`/profile/:username/${side}`}>
              {({ username }) => <FollowList key={username} username={username} side={side} />}
            </Route>
          ))}
          <Route path="/notifications">
            <Notifications />
          </Route>
          <Route path="/invites">
            <Invites />
          </Route>
          <Route path="/settings">
            <Settings />
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}
