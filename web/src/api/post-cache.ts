import { queryKeys } from "./query-keys";
import { queryClient } from "./query-client";
import type { UserSummary, Post, FeedReason, Reposters } from "./types";

/** A row of a list: the id of a post, which is cached apart, and data of the list. */
export interface PostRow {
  id: string;
  reason?: FeedReason;
  /** The members who reposted it, where the list has merged several reposts into one row. */
  reposters?: Reposters;
  /** Whether it was added here when the viewer posted it; rows above it may not be loaded. */
  isAddedHere?: true;
}

/** A thread: what leads to its post, oldest first, the post, and the replies in their order. */
export interface ThreadEntry {
  id: string;
  rootId: string | null;
  ancestorIds: string[];
  replyIds: string[];
}

/** Caches posts and their reposted originals by id; returns the rows of the list. */
export function upsertPosts(posts: readonly Post[]): PostRow[] {
  return posts.map((post) => {
    const { id, reason, reposters, repostOf } = post;
    if (repostOf) upsertPost(repostOf);
    upsertPost(post);
    return { id, ...(reason && { reason }), ...(reposters && { reposters }) };
  });
}

function upsertPost(post: Post): void {
  // A response that was under way while the post was deleted does not bring it back. A hidden post comes
  // back once its author is no longer blocked or muted.
  queryClient.setQueryData<Post>(queryKeys.post(post.id), (cached) =>
    cached?.isDeleted && !cached.isHidden ? cached : post,
  );
}

export function updatePostInCache(id: string, change: (post: Post) => Post): void {
  queryClient.setQueryData<Post>(queryKeys.post(id), (post) => post && change(post));
}

export function updateAuthorInCache(user: UserSummary): void {
  queryClient.setQueriesData<Post>(
    { queryKey: queryKeys.posts },
    (post) => post && withAuthor(post, user),
  );
}

function withAuthor(post: Post, user: UserSummary): Post {
  const { author, replyTo, repostOf } = post;
  return {
    ...post,
    author: author.id === user.id ? user : author,
    ...(replyTo?.author.id === user.id && { replyTo: { ...replyTo, author: user } }),
    ...(repostOf && { repostOf: withAuthor(repostOf, user) }),
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
export function getVoteCount(post: Post, option: string): number {
  const tallies = post.pollTallies ?? {};
  return Object.hasOwn(tallies, option) ? (tallies[option] ?? 0) : 0;
}

export function withVote(post: Post, option: string | null): Post {
  const previous = post.pollMyVote ?? null;
  if (previous === option) return post;
  const tallies = (post.pollOptions ?? []).map((name): [string, number] => {
    const change = Number(name === option) - Number(name === previous);
    return [name, Math.max(0, getVoteCount(post, name) + change)];
  });
  return { ...post, pollMyVote: option, pollTallies: Object.fromEntries(tallies) };
}
