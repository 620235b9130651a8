import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { MemberRef, Post, Reason, Reposters } from "./types";

/** A row of a list. The post lives by itself; why it is there is known to the list only. */
export interface PostRow {
  id: string;
  reason?: Reason;
  /** The members who reposted it, where the list has merged several reposts into one row. */
  reposters?: Reposters;
}

/** A thread: what leads to its post, oldest first, the post, and the replies in their order. */
export interface ThreadIds {
  id: string;
  rootId: string | null;
  ancestorIds: string[];
  replyIds: string[];
}

/** Puts posts (and what they repost) where every list finds them; returns the list's rows. */
export function storePosts(posts: readonly Post[]): PostRow[] {
  return posts.map((post) => {
    const { id, reason, reposters, repostOf } = post;
    if (repostOf) store(repostOf);
    store(post);
    return { id, ...(reason && { reason }), ...(reposters && { reposters }) };
  });
}

function store(post: Post): void {
  // A response that was under way while the post was deleted does not bring it back. A hidden post comes
  // back once its author is no longer blocked or muted.
  queryClient.setQueryData<Post>(keys.post(post.id), (known) =>
    known?.isDeleted && !known.isHidden ? known : post,
  );
}

export function patchPost(id: string, change: (post: Post) => Post): void {
  queryClient.setQueryData<Post>(keys.post(id), (post) => post && change(post));
}

export function patchAuthor(member: MemberRef): void {
  queryClient.setQueriesData<Post>(
    { queryKey: keys.posts },
    (post) => post && withAuthor(post, member),
  );
}

function withAuthor(post: Post, member: MemberRef): Post {
  const { author, replyTo, repostOf } = post;
  return {
    ...post,
    author: author.id === member.id ? member : author,
    ...(replyTo?.author.id === member.id && { replyTo: { ...replyTo, author: member } }),
    ...(repostOf && { repostOf: withAuthor(repostOf, member) }),
  };
}

export function withLike(post: Post, on: boolean): Post {
  if (post.isLiked === on) return post;
  return { ...post, isLiked: on, likeCount: Math.max(0, post.likeCount + (on ? 1 : -1)) };
}

export function withRepost(post: Post, on: boolean): Post {
  if (post.isReposted === on) return post;
  return { ...post, isReposted: on, repostCount: Math.max(0, post.repostCount + (on ? 1 : -1)) };
}

/** How many chose a poll option. Options may be named like anything, `constructor` included. */
export function tallyOf(post: Post, option: string): number {
  const tallies = post.pollTallies ?? {};
  return Object.hasOwn(tallies, option) ? (tallies[option] ?? 0) : 0;
}

export function withVote(post: Post, option: string | null): Post {
  const before = post.pollMyVote ?? null;
  if (before === option) return post;
  const tallies = (post.pollOptions ?? []).map((name): [string, number] => {
    const change = Number(name === option) - Number(name === before);
    return [name, Math.max(0, tallyOf(post, name) + change)];
  });
  return { ...post, pollMyVote: option, pollTallies: Object.fromEntries(tallies) };
}
