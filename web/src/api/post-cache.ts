import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { MemberRef, Post, Reason } from "./types";

/** A page of a list: the posts themselves live on their own. */
export interface PostPage<Start> {
  ids: string[];
  /** Why each is shown, where the list says so. It is the list's word: elsewhere the same post has none. */
  reasons?: Readonly<Record<string, Reason>>;
  next: Start | null;
}

/** A thread: what leads to its post, oldest first, the post, and the replies in their order. */
export interface ThreadIds {
  id: string;
  ancestorIds: string[];
  replyIds: string[];
}

/** Puts posts (and what they repost) where every list finds them; answers their ids. */
export function storePosts(posts: readonly Post[]): string[] {
  for (const post of posts) {
    if (post.repostOf) store(post.repostOf);
    store(post);
  }
  return posts.map((post) => post.id);
}

function store(post: Post): void {
  // An answer that was under way while the post was deleted does not bring it back. What was only
  // hidden comes back once its author is no longer kept away.
  queryClient.setQueryData<Post>(keys.post(post.id), (known) =>
    known?.isDeleted && !known.isHidden ? known : post,
  );
}

/** Changes one post in place, if it is known. */
export function patchPost(id: string, change: (post: Post) => Post): void {
  queryClient.setQueryData<Post>(keys.post(id), (post) => post && change(post));
}

/** Brings a member's name and picture up to date in every post that shows them. */
export function patchAuthor(member: MemberRef): void {
  queryClient.setQueriesData<Post>(
    { queryKey: keys.posts },
    (post) => post && withAuthor(post, member),
  );
}

/** The post with a member's present name and picture wherever it shows that member. */
export function withAuthor(post: Post, member: MemberRef): Post {
  const { author, replyTo, repostOf } = post;
  return {
    ...post,
    author: author.id === member.id ? member : author,
    ...(replyTo?.author.id === member.id && { replyTo: { ...replyTo, author: member } }),
    ...(repostOf && { repostOf: withAuthor(repostOf, member) }),
  };
}

/** The post as if the member had (not) liked it. */
export function withLike(post: Post, on: boolean): Post {
  if (post.isLiked === on) return post;
  return { ...post, isLiked: on, likeCount: Math.max(0, post.likeCount + (on ? 1 : -1)) };
}

/** The post as if the member had (not) reposted it. */
export function withRepost(post: Post, on: boolean): Post {
  if (post.isReposted === on) return post;
  return { ...post, isReposted: on, repostCount: Math.max(0, post.repostCount + (on ? 1 : -1)) };
}

/** How many chose a poll option. Options may be named like anything, `constructor` included. */
export function tallyOf(post: Post, option: string): number {
  const tallies = post.pollTallies ?? {};
  return Object.hasOwn(tallies, option) ? (tallies[option] ?? 0) : 0;
}

/** The post as if the member had chosen a poll option, taking back an earlier choice. */
export function withVote(post: Post, option: string): Post {
  const before = post.pollMyVote;
  if (before === option) return post;
  const tallies = (post.pollOptions ?? []).map((name): [string, number] => {
    const change = Number(name === option) - Number(name === before);
    return [name, Math.max(0, tallyOf(post, name) + change)];
  });
  return { ...post, pollMyVote: option, pollTallies: Object.fromEntries(tallies) };
}
