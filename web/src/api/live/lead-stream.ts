import { openEventStream, type Rejection } from "@/lib/live/event-stream";
import type { Leadership } from "@/lib/live/leading-tab";
import { getNextTarget, type Target, type Watch } from "@/lib/live/watch-target";
import type { PostCounts, UnreadEvent } from "../types";
import type { NewPosts } from "./new-posts";

/** What the tab that holds the stream passes on. Each event is a state, so that repeating one is harmless. */
export type LiveEvent =
  | { name: "notifications"; data: UnreadEvent }
  | { name: "feed"; data: NewPosts }
  | { name: "counts"; data: PostCounts }
  | { name: "session_ended" };

const EVENT_NAMES = ["notifications", "feed", "counts", "session_ended"];
/** From one stream to the next: a reader who scrolls passes many posts. */
const MIN_STREAM_MS = 3_000;
/** Before the first stream, so that it has what all tabs show. */
const FIRST_STREAM_MS = 200;
/** Statuses after which a stream is not opened again: no content, no session, no events. */
const FINAL_STATUSES = new Set([204, 401, 404]);

/** Holds the stream of the server's events for all tabs of the browser. */
export function leadStream(
  getWatches: () => Watch[],
  publish: (event: LiveEvent) => void,
): Leadership {
  const known = new Map<string, LiveEvent>();
  let target: Target | null = null;
  let stream: ReturnType<typeof openEventStream> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nextStreamAt = Date.now() + FIRST_STREAM_MS;
  let isFinal = false;

  async function explainRejection(url: string, signal: AbortSignal): Promise<Rejection> {
    const { status, retryAfterMs } = await fetchStatus(url, signal);
    if (status === 401) publish({ name: "session_ended" });
    isFinal = FINAL_STATUSES.has(status);
    return isFinal ? "final" : { retryAfterMs };
  }

  function receive(name: string, data: unknown, feed: string | null) {
    // A login in this browser ends the session before: the stream goes on with the new one.
    if (name === "session_ended") return stream?.reopen();
    const isFeed = name === "feed";
    const event = { name, data: isFeed ? { ...(data as object), feed } : data } as LiveEvent;
    known.set(name === "counts" ? `counts ${(data as PostCounts).id}` : name, event);
    publish(event);
  }

  function open() {
    timer = undefined;
    const next = getNextTarget(getWatches(), target);
    if (!next || isFinal) return;
    target = next;
    nextStreamAt = Date.now() + MIN_STREAM_MS;
    stream?.close();
    known.clear();
    stream = openEventStream({
      url: getStreamUrl(next),
      events: EVENT_NAMES,
      onEvent: (name, data) => receive(name, data, next.feed),
      explainRejection,
    });
  }

  function update() {
    if (isFinal || timer !== undefined || !getNextTarget(getWatches(), target)) return;
    timer = setTimeout(open, Math.max(0, nextStreamAt - Date.now()));
  }

  update();
  return {
    update,
    repeat: () => known.forEach((event) => publish(event)),
    stop() {
      clearTimeout(timer);
      stream?.close();
    },
  };
}

function getStreamUrl({ feed, posts }: Target): string {
  const query = new URLSearchParams();
  if (feed !== null) query.set("feed", feed);
  if (posts.length > 0) query.set("posts", posts.join(","));
  return query.size > 0 ? `/api/events?${query.toString()}` : "/api/events";
}

/** The status of a rejected stream, by requesting it once more: `EventSource` does not report it. */
async function fetchStatus(url: string, signal: AbortSignal) {
  const headers = { accept: "text/event-stream" };
  const response = await fetch(url, { credentials: "include", headers, signal });
  await response.body?.cancel();
  const retryAfterMs = (Number(response.headers.get("Retry-After")) || 0) * 1_000;
  return { status: response.status, retryAfterMs };
}
