import type { Notification } from "@/api/types";

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

/** Where a notification leads: to the post, or to who did it where there is none. */
export function placeOf({ post, actor }: Pick<Notification, "post" | "actor">): string {
  return post ? `/post/${post.id}` : `/profile/${actor.username}`;
}
