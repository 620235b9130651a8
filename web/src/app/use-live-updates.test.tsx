import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { useQuery } from "@tanstack/react-query";
import { useCurrentUser } from "@/api/auth";
import { upsertPosts } from "@/api/post-cache";
import { postQuery } from "@/api/posts";
import { PageTitle } from "@/components/page-title";
import { PostActions } from "@/features/posts/post-actions";
import { createStore, useStore } from "@/lib/state/store";
import Home from "@/screens/home";
import { createDeferred } from "@/test/deferred";
import { sendEvent, streams } from "@/test/mock-api/event-streams";
import { network } from "@/test/mock-api/network";
import { http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { navItems } from "./nav-items";
import { NavLink } from "./nav-link";
import { useLiveUpdates } from "./use-live-updates";

/** From one stream to the next. */
const STREAM_INTERVAL_MS = 3_000;

const bell = navItems.find(({ getUnreadCount }) => getUnreadCount);
const shownIds = createStore<readonly string[]>([]);

/** The content of a tab: the bell, and some posts. */
function Tab() {
  useLiveUpdates();
  const { unreadNotificationCount } = useCurrentUser();
  return (
    <>
      <PageTitle title="Home" />
      <p>{unreadNotificationCount} waiting</p>
      {bell && <NavLink item={bell} variant="row" />}
      {useStore(shownIds).map((id) => (
        <CachedPostActions key={id} id={id} />
      ))}
    </>
  );
}

function CachedPostActions({ id }: { id: string }) {
  const { data: post } = useQuery(postQuery(id));
  return post && <PostActions post={post} />;
}

function LiveHome() {
  useLiveUpdates();
  return <Home />;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Renders a tab with the newest post, which four members like, and waits for its stream. */
async function renderTab() {
  const [post] = network.posts;
  if (!post) throw new Error("The network has no posts.");
  upsertPosts(network.posts.map((it) => ({ ...it })));
  shownIds.set([post.id]);
  const screen = await renderInApp(<Tab />);
  await expect.poll(() => streams.map(({ posts }) => posts)).toEqual([[post.id]]);
  return { id: post.id, screen };
}

/** Has the server reject further streams. */
function rejectStreams(status: number): string[] {
  const requests: string[] = [];
  worker.use(
    http.untyped.get("/api/events", ({ request }) => {
      requests.push(request.url);
      return new Response(null, { status });
    }),
  );
  return requests;
}

/** Records navigations instead of running them. */
function blockNavigation(): string[] {
  const paths: string[] = [];
  const { navigation } = globalThis as unknown as { navigation: EventTarget };
  const onNavigate = (event: Event & { destination?: { url: string } }) => {
    event.preventDefault();
    paths.push(new URL(event.destination?.url ?? "").pathname);
  };
  navigation.addEventListener("navigate", onNavigate);
  onTestFinished(() => navigation.removeEventListener("navigate", onNavigate));
  return paths;
}

afterEach(() => {
  history.replaceState(null, "", location.pathname);
  vi.restoreAllMocks();
});

// proves: live-unread
test("unread notifications are counted at the bell, in the title and on the app's icon", async () => {
  const setAppBadge = vi.spyOn(navigator, "setAppBadge").mockResolvedValue();
  const { screen } = await renderTab();
  await expect.element(screen.getByRole("link")).toHaveTextContent("2 unread");
  sendEvent("notifications", { unread: 3 });
  await expect.element(screen.getByRole("link")).toHaveTextContent("3 unread");
  expect(document.title).toBe("(3) Home · Kith");
  expect(setAppBadge).toHaveBeenLastCalledWith(3);
  sendEvent("notifications", { unread: 0 });
  await expect.element(screen.getByRole("link")).not.toHaveTextContent("unread");
  expect(document.title).toBe("Home · Kith");
  expect(setAppBadge).toHaveBeenLastCalledWith(0);
});

// proves: live-counts
test("responses are counted on screen, and move nothing beside them", async () => {
  const { id, screen } = await renderTab();
  const getLefts = () =>
    screen
      .getByRole("button")
      .elements()
      .map((button) => button.getBoundingClientRect().left);
  const before = getLefts();
  sendEvent("counts", { id, replies: 1_234, reposts: 10, likes: 99 });
  await expect.element(screen.getByRole("button", { name: "Reply, 1234" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Repost, 10" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Like, 99" })).toBeVisible();
  expect(getLefts()).toEqual(before);
});

// proves: live-counts-own
test("a like on its way is not counted twice", async () => {
  const { id, screen } = await renderTab();
  const response = createDeferred();
  worker.use(http.post("/api/posts/{id}/like", () => response.promise.then(() => undefined)));
  await screen.getByRole("button", { name: "Like, 4" }).click();
  const unlike = screen.getByRole("button", { name: /^Unlike/ });
  await expect.element(unlike).toHaveAccessibleName("Unlike, 5");
  sendEvent("counts", { id, replies: 0, reposts: 0, likes: 5 });
  // Events arrive in their order.
  sendEvent("notifications", { unread: 7 });
  await expect.element(screen.getByText("7 waiting")).toBeVisible();
  await expect.element(unlike).toHaveAccessibleName("Unlike, 5");
  sendEvent("counts", { id, replies: 0, reposts: 0, likes: 6 });
  response.resolve();
  await expect.element(unlike).toHaveAccessibleName("Unlike, 6");
});

// proves: live-one-stream
test("two tabs share a stream, which is replaced once other posts are in sight", async () => {
  const { id, screen } = await renderTab();
  const openedAt = Date.now();
  await renderInApp(<Tab />);
  const other = network.posts[1]?.id ?? "";
  shownIds.set([other]);
  await expect.poll(() => streams.at(-1)?.posts).toEqual([other, id]);
  expect(Date.now() - openedAt).toBeGreaterThan(STREAM_INTERVAL_MS - 1_000);
  expect(streams).toHaveLength(2);
  sendEvent("counts", { id: other, replies: 0, reposts: 0, likes: 12 });
  await expect.element(screen.getByRole("button", { name: "Like, 12" }).first()).toBeVisible();
  // A post of the page before is watched already.
  shownIds.set([id]);
  await wait(STREAM_INTERVAL_MS + 1_500);
  expect(streams).toHaveLength(2);
});

// proves: live-new-posts-friends
test("Home counts new posts of friends from the newest on screen on", async () => {
  const screen = await renderInApp(<LiveHome />);
  const newest = network.posts[0]?.id;
  await expect.poll(() => streams.at(-1)?.feed).toBe(newest);
  sendEvent("feed", { count: 3 });
  await expect.element(screen.getByRole("button", { name: "3 new posts" })).toBeVisible();
});

// proves: live-new-posts-friends
test("For You counts no new posts", async () => {
  history.replaceState(null, "", "?tab=for-you");
  const screen = await renderInApp(<LiveHome />, "/?tab=for-you");
  await expect.element(screen.getByRole("tab", { name: "For You", selected: true })).toBeVisible();
  await expect.element(screen.getByRole("article").first()).toBeVisible();
  await expect.poll(() => streams.length).toBe(1);
  expect(streams[0]?.feed).toBeNull();
  sendEvent("feed", { count: 3 });
  sendEvent("notifications", { unread: 7 });
  await wait(500);
  await expect.element(screen.getByRole("button", { name: /new post/ })).not.toBeInTheDocument();
});

// proves: live-session-end
test("the end of the session redirects to the login", async () => {
  const paths = blockNavigation();
  await renderTab();
  const requests = rejectStreams(401);
  sendEvent("session_ended", {});
  await expectToast("Unauthorized", "You are logged out. Logging in again...");
  await expect.poll(() => paths).toEqual(["/api/login"]);
  await wait(STREAM_INTERVAL_MS);
  expect(requests).toHaveLength(1);
});

// proves: live-session-end
test("a new login in this browser goes on with a stream of its own", async () => {
  const paths = blockNavigation();
  await renderTab();
  sendEvent("session_ended", {});
  // The request for the status is one, too.
  await expect.poll(() => streams.length).toBe(3);
  expect(paths).toEqual([]);
});

// proves: live-off
test("a server without events is asked once", async () => {
  const requests = rejectStreams(404);
  shownIds.set([]);
  await renderInApp(<Tab />);
  // The stream, and the request for its status.
  await expect.poll(() => requests.length).toBe(2);
  shownIds.set([network.posts[0]?.id ?? ""]);
  await wait(STREAM_INTERVAL_MS + 1_500);
  expect(requests).toHaveLength(2);
});
