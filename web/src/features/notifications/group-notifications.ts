import { plural } from "@lingui/core/macro";
import type { UserSummary, Notification } from "@/api/types";

/** Notifications of one action by different members, shown as one row. */
export interface NotificationGroup extends Pick<Notification, "type" | "post" | "createdAt"> {
  id: string;
  actors: UserSummary[];
  unreadIds: string[];
}

/** Merges the likes of one post into the row of the newest, the reposts of one post, and the follows. */
export function groupNotifications(rows: readonly Notification[]): NotificationGroup[] {
  const groups = new Map<string, NotificationGroup>();
  for (const row of rows) {
    const { id, type, post, createdAt, actor, isRead } = row;
    const key = getGroupKey(row);
    const group = groups.get(key) ?? { id, type, post, createdAt, actors: [], unreadIds: [] };
    if (!group.actors.some((existing) => existing.id === actor.id)) group.actors.push(actor);
    if (!isRead && !group.unreadIds.includes(id)) group.unreadIds.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function getGroupKey({ id, type, post }: Notification): string {
  if (type === "follow") return type;
  if ((type === "like" || type === "repost") && post) return `${type} ${post.id}`;
  return id;
}

/** The action of a notification, which follows the members' names. */
export function getActionText(type: Notification["type"], actorCount: number): string {
  switch (type) {
    case "follow":
      return plural(actorCount, { one: "followed you", other: "followed you" });
    case "like":
      return plural(actorCount, { one: "liked your post", other: "liked your post" });
    case "reply":
      return plural(actorCount, { one: "replied to your post", other: "replied to your post" });
    case "repost":
      return plural(actorCount, { one: "reposted your post", other: "reposted your post" });
    case "mention":
      return plural(actorCount, { one: "mentioned you", other: "mentioned you" });
  }
}

/** The path of the post, else of the only actor, else of my followers: several members followed. */
export function getNotificationHref(
  { post, actors }: Pick<NotificationGroup, "post" | "actors">,
  currentUsername: string,
) {
  if (post) return `/post/${post.id}`;
  const [actor, ...others] = actors;
  return actor && others.length === 0
    ? `/profile/${actor.username}`
    : `/profile/${currentUsername}/followers`;
}
