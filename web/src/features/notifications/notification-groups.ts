import type { MemberRef, Notification } from "@/api/types";

/** Notifications that say the same of different people, and stand in one row. */
export interface NotificationGroup extends Pick<Notification, "type" | "post" | "createdAt"> {
  /** The id of the newest. */
  id: string;
  /** Who did it, each once, the latest first. */
  actors: MemberRef[];
  /** Those of them that are not read. */
  unreadIds: string[];
}

/**
 * Puts the likes of one post into one row, likewise the reposts of one post, and the follows. A
 * row stands where its newest notification stands; the order is that of the list.
 */
export function groupNotifications(rows: readonly Notification[]): NotificationGroup[] {
  const groups = new Map<string, NotificationGroup>();
  for (const row of rows) {
    const { id, type, post, createdAt, actor, isRead } = row;
    const key = keyOf(row);
    const group = groups.get(key) ?? { id, type, post, createdAt, actors: [], unreadIds: [] };
    if (!group.actors.some((known) => known.id === actor.id)) group.actors.push(actor);
    if (!isRead && !group.unreadIds.includes(id)) group.unreadIds.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What a row has in common with those it stands together with. */
function keyOf({ id, type, post }: Notification): string {
  if (type === "follow") return type;
  if ((type === "like" || type === "repost") && post) return `${type} ${post.id}`;
  return id;
}

/** How many of those who did something are named; the others are counted. */
const NAMED = 2;

/** Whom a row names, and how many more did the same. */
export function namesOf<Actor>(actors: readonly Actor[]): { named: Actor[]; others: number } {
  return { named: actors.slice(0, NAMED), others: Math.max(0, actors.length - NAMED) };
}
