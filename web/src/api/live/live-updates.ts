import { joinTabs } from "@/lib/live/leading-tab";
import { watchPagePresence } from "@/lib/live/page-presence";
import { MAX_POSTS, type Watch } from "@/lib/live/watch-target";
import type { Me } from "../types";
import { redirectToLogin } from "../handle-mutation-error";
import { queryClient } from "../query-client";
import { queryKeys } from "../query-keys";
import { leadStream, type LiveEvent } from "./lead-stream";
import { applyCounts } from "./live-counts";
import { getNewestLoadedRow, newPosts } from "./new-posts";
import { postsInSight } from "./posts-in-sight";

/** After a change of what is on screen, since several come together. */
const REPORT_DELAY_MS = 500;

/**
 * Keeps the numbers on the member's screen up to date: unread notifications, new posts and responses to posts.
 * All tabs share one stream of the server's events. Returns a function that ends it.
 */
export function startLiveUpdates(userId: string): () => void {
  let tabs: ReturnType<typeof joinTabs<Watch, LiveEvent>> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reportedRow = getNewestLoadedRow();
  const controller = new AbortController();
  const { signal } = controller;

  function report() {
    timer ??= setTimeout(() => {
      timer = undefined;
      tabs?.report();
    }, REPORT_DELAY_MS);
  }

  function reportNewestRow() {
    const row = getNewestLoadedRow();
    if (row === reportedRow) return;
    reportedRow = row;
    report();
  }

  function leave() {
    tabs?.leave();
    tabs = undefined;
  }

  const endPresence = watchPagePresence((isPresent) => {
    leave();
    if (!isPresent) return;
    const name = `kith:live:${userId}`;
    tabs = joinTabs({ name, getInterest: getWatch, lead: leadStream, onEvent: applyEvent });
  });
  for (const name of ["focus", "blur"]) addEventListener(name, report, { signal });
  document.addEventListener("visibilitychange", report, { signal });
  const subscriptions = [
    postsInSight.subscribe(report),
    queryClient.getQueryCache().subscribe(reportNewestRow),
    queryClient.getMutationCache().subscribe(applyUnreadCount),
  ];
  return () => {
    controller.abort();
    endPresence();
    for (const unsubscribe of subscriptions) unsubscribe();
    clearTimeout(timer);
    leave();
  };
}

function getWatch(): Watch {
  const { visible, nearby } = postsInSight.getNames();
  const attention = document.hasFocus() ? "focused" : "visible";
  return {
    feed: getNewestLoadedRow(),
    visible: visible.slice(0, MAX_POSTS),
    nearby: nearby.slice(0, MAX_POSTS),
    attention: document.hidden ? "hidden" : attention,
  };
}

function applyEvent(event: LiveEvent): void {
  if (event.name === "notifications") {
    unreadCount = event.data.unread;
    applyUnreadCount();
  } else if (event.name === "feed") {
    // Another tab may show an older or newer feed.
    if (event.data.feed === getNewestLoadedRow()) newPosts.set(event.data);
  } else if (event.name === "counts") {
    applyCounts(event.data);
  } else if (queryClient.getQueryData(queryKeys.currentUser)) {
    redirectToLogin();
  }
}

/** The number of unread notifications that arrived last, until it is shown. */
let unreadCount: number | undefined;

/** Shows the number of unread notifications once no request is under way that may change it. */
function applyUnreadCount(): void {
  if (unreadCount === undefined || queryClient.isMutating() > 0) return;
  const unreadNotificationCount = unreadCount;
  unreadCount = undefined;
  queryClient.setQueryData<Me | null>(queryKeys.currentUser, (currentUser) =>
    !currentUser || currentUser.unreadNotificationCount === unreadNotificationCount
      ? currentUser
      : { ...currentUser, unreadNotificationCount },
  );
}
