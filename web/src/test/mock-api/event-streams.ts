import { sse } from "msw";
import type { LiveEvent } from "@/api/live/lead-stream";
import { network } from "./network";

/** The events of the server's stream by name. */
type EventMap = {
  [Event in LiveEvent as Event["name"]]: Event extends { data: infer Data }
    ? Omit<Data, "feed">
    : object;
};

interface Stream {
  feed: string | null;
  posts: string[];
  send: <Name extends keyof EventMap>(name: Name, data: EventMap[Name]) => void;
  end: () => void;
}

/** The streams that were opened since the network was reset, the newest last. */
export const streams: Stream[] = [];

/** Sends an event to the newest stream. */
export const sendEvent: Stream["send"] = (name, data) => streams.at(-1)?.send(name, data);

export const eventHandlers = [
  sse("/api/events", ({ client, request }) => {
    const { searchParams } = new URL(request.url);
    const posts = searchParams.get("posts")?.split(",") ?? [];
    const stream: Stream = {
      feed: searchParams.get("feed"),
      posts,
      send: (name, data) =>
        client.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })),
      end: () => client.close(),
    };
    streams.push(stream);
    client.send({ retry: 100 });
    stream.send("notifications", { unread: network.viewer?.unreadNotificationCount ?? 0 });
    for (const { id, replyCount, repostCount, likeCount } of network.posts) {
      const counts = { id, replies: replyCount, reposts: repostCount, likes: likeCount };
      if (posts.includes(id)) stream.send("counts", counts);
    }
  }),
];
