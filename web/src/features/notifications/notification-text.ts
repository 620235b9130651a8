import type { Notification } from "@/api/types";
import type { NotificationGroup } from "./notification-groups";

const deeds: Record<Notification["type"], string> = {
  follow: "followed you",
  like: "liked your post",
  reply: "replied to your post",
  repost: "reposted your post",
  mention: "mentioned you",
};

/** What the actor did, to stand after their name. */
export function deedOf({ type }: Pick<Notification, "type">): string {
  return deeds[type];
}

/**
 * Where a notification leads: to the post, or where there is none to who did it; several who
 * followed stand together in my list of followers.
 */
export function placeOf(
  { post, actors }: Pick<NotificationGroup, "post" | "actors">,
  me: string,
): string {
  if (post) return `/post/${post.id}`;
  const [actor, ...others] = actors;
  return actor && others.length === 0 ? `/profile/${actor.username}` : `/profile/${me}/followers`;
}
