import { type InfiniteData, queryOptions } from "@tanstack/react-query";
import { nextStart, type PageStart } from "@/lib/link-header";
import { randomKey } from "@/lib/random-key";
import { api, bodyOf } from "./client";
import { type FeedName, keys, type ProfileFilter } from "./keys";
import { type PostPage, storePosts, type ThreadIds } from "./post-cache";
import { queryClient } from "./query-client";
import type { Post } from "./types";

/** Posts on a page of a list. */
export const PAGE_SIZE = 20;

const firstPage: PageStart = { offset: 0 };

function toPage(posts: Post[], response: Response, start: PageStart): PostPage<PageStart> {
  const reasons = posts.flatMap(({ id, reason }) => (reason ? [[id, reason] as const] : []));
  return {
    ids: storePosts(posts),
    ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    next: nextStart(response, posts.length, PAGE_SIZE, start),
  };
}

/** The member's feed of people they follow, page by page. */
export const friendsFeed = {
  queryKey: keys.feed("friends"),
  initialPageParam: firstPage,
  queryFn: async ({ pageParam: start }: { pageParam: PageStart }) => {
    const query = { limit: PAGE_SIZE, ...start };
    const answer = await api.GET("/api/posts/feed", { params: { query } });
    return toPage(bodyOf(answer), answer.response, start);
  },
  getNextPageParam: (page: PostPage<PageStart>) => page.next,
};

/** What the whole network talks about, page by page, each post with its reason. */
export const forYouFeed = {
  queryKey: keys.feed("for-you"),
  initialPageParam: firstPage,
  queryFn: async ({ pageParam: start }: { pageParam: PageStart }) => {
    const query = { limit: PAGE_SIZE, ...start };
    const answer = await api.GET("/api/posts/for-you", { params: { query } });
    return toPage(bodyOf(answer), answer.response, start);
  },
  getNextPageParam: (page: PostPage<PageStart>) => page.next,
};

/** Fetches the first page of a feed anew, in the place of all that was loaded; throws if it can't. */
export async function refreshFeed(name: FeedName): Promise<void> {
  const queryKey = keys.feed(name);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<InfiniteData<PostPage<PageStart>, PageStart>>(
    queryKey,
    (feed) => feed && { pages: feed.pages.slice(0, 1), pageParams: feed.pageParams.slice(0, 1) },
  );
  await queryClient.refetchQueries({ queryKey }, { throwOnError: true });
}

/** One tab of a profile, page by page. */
export function userPosts(username: string, filter: ProfileFilter) {
  return {
    queryKey: keys.userPosts(username, filter),
    initialPageParam: firstPage,
    queryFn: async ({ pageParam: start }: { pageParam: PageStart }) => {
      const params = { path: { username }, query: { filter, limit: PAGE_SIZE, ...start } };
      const answer = await api.GET("/api/users/{username}/posts", { params });
      return toPage(bodyOf(answer), answer.response, start);
    },
    getNextPageParam: (page: PostPage<PageStart>) => page.next,
  };
}

/** The posts and replies with a tag, page by page. */
export function tagPosts(tag: string) {
  return {
    queryKey: keys.tag(tag),
    initialPageParam: firstPage,
    queryFn: async ({ pageParam: start }: { pageParam: PageStart }) => {
      const params = { path: { tag }, query: { limit: PAGE_SIZE, ...start } };
      const answer = await api.GET("/api/hashtags/{tag}/posts", { params });
      return toPage(bodyOf(answer), answer.response, start);
    },
    getNextPageParam: (page: PostPage<PageStart>) => page.next,
  };
}

/** A post's thread: what leads to it, the post and its replies as ids, in the server's order. */
export function threadQuery(id: string) {
  return queryOptions({
    queryKey: keys.thread(id),
    queryFn: async (): Promise<ThreadIds> => {
      const { ancestors = [], post, replies } = await fetchThread(id);
      storePosts([post]);
      return { id: post.id, ancestorIds: storePosts(ancestors), replyIds: storePosts(replies) };
    },
  });
}

/** One post. Lists fill this in; only a post that no list has seen is fetched. */
export function postQuery(id: string) {
  return queryOptions({
    queryKey: keys.post(id),
    queryFn: async () => (await fetchThread(id)).post,
  });
}

async function fetchThread(id: string) {
  return bodyOf(await api.GET("/api/posts/{id}/thread", { params: { path: { id } } }));
}

/** What a member writes. */
export interface NewPost {
  content: string;
  /** Addresses of images, and what each shows, in the same order; null for no description. */
  imageUrls?: string[];
  imageAlts?: (string | null)[];
  pollOptions?: string[];
  replyToId?: string;
  repostOfId?: string;
}

/** Publishes a post; the same key within a day answers the first result instead of a second post. */
export async function createPost(body: NewPost, idempotencyKey: string): Promise<Post> {
  const header = { "Idempotency-Key": idempotencyKey };
  return bodyOf(await api.POST("/api/posts", { params: { header }, body }));
}

/** Deletes my post or reply; twice is as good as once. */
export async function deletePost(id: string): Promise<void> {
  await api.DELETE("/api/posts/{id}", { params: { path: { id } } });
}

/** Likes a post or takes the like back. */
export async function sendLike(id: string, on: boolean): Promise<void> {
  const params = { path: { id } };
  const answer = on
    ? await api.POST("/api/posts/{id}/like", { params })
    : await api.DELETE("/api/posts/{id}/like", { params });
  storePosts([bodyOf(answer)]);
}

/** Reposts a post or takes the repost back. */
export async function sendRepost(id: string, on: boolean): Promise<void> {
  if (on) {
    storePosts([await createPost({ content: "♻️", repostOfId: id }, randomKey())]);
  } else {
    const params = { path: { id } };
    storePosts([bodyOf(await api.DELETE("/api/posts/{id}/repost", { params }))]);
  }
}

/** Votes in a poll; until it expires a member may change their mind. */
export async function sendVote(id: string, option: string): Promise<Post> {
  const params = { path: { id } };
  return bodyOf(await api.POST("/api/posts/{id}/vote", { params, body: { option } }));
}
