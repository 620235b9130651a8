import { Suspense, useEffect } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { useMember } from "@/api/session";
import Home from "@/screens/home";
import { tagOfAddress } from "@/lib/tag";
import { PostSkeletons } from "@/ui/skeleton";
import { anyAddress } from "./any-address";
import { fetchAhead } from "./head-start";
import { lazyScreen } from "./lazy-screen";
import { code } from "./screen-code";
import { Shell } from "./shell";

export { fetchFirstData } from "./first-data";

const Thread = lazyScreen(code.thread);
const Tag = lazyScreen(code.tag);
const Profile = lazyScreen(code.profile);
const FollowList = lazyScreen(code.followList);
const Discover = lazyScreen(code.discover);
const Notifications = lazyScreen(code.notifications);
const Invites = lazyScreen(code.invites);
const Settings = lazyScreen(code.settings);
const Admin = lazyScreen(code.admin);
const NotFound = lazyScreen(code.notFound);

/** The member's part of the app. */
export default function Member() {
  const search = useSearch();
  const isModerator = useMember().role !== "member";
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
          {isModerator && (
            <Route path="/admin">
              <Admin />
            </Route>
          )}
          <Route path={anyAddress}>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}
