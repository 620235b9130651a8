import { type QueryKey, useQuery } from "@tanstack/react-query";
import { randomId } from "@/lib/text/random-id";
import { api, bodyOf } from "./client";
import { keys, type ProfileFilter } from "./keys";
import { firstPageAgain, paged, type RequestPage } from "./lists";
import { type PostRow, storePosts, type ThreadIds } from "./post-cache";
import type { NewPost, Post } from "./types";

const PAGE_SIZE = 20;

function postList(queryKey: QueryKey, request: RequestPage<Post>) {
  const requestRows: RequestPage<PostRow> = async (query, start) => {
    const { data, response } = await request(query, start);
    return { response, ...(data && { data: storePosts(data) }) };
  };
  return { ...firstPageAgain, ...paged(queryKey, PAGE_SIZE, requestRows, { offset: 0 }) };
}

export const friendsFeed = postList(keys.feed("friends"), (query) =>
  api.GET("/api/posts/feed", { params: { query } }),
);

export const forYouFeed = postList(keys.feed("for-you"), (query) =>
  api.GET("/api/posts/for-you", { params: { query } }),
);

export const userPosts = (username: string, filter: ProfileFilter) =>
  postList(keys.userPosts(username, filter), (page) =>
    api.GET("/api/users/{username}/posts", {
      params: { path: { username }, query: { filter, ...page } },
    }),
  );

export const tagPosts = (tag: string) =>
  postList(keys.tag(tag), (query) =>
    api.GET("/api/hashtags/{tag}/posts", { params: { path: { tag }, query } }),
  );

export function threadQuery(id: string) {
  return {
    queryKey: keys.thread(id),
    queryFn: async (): Promise<ThreadIds> => {
      const { rootId = null, ancestors = [], post, replies } = await fetchThread(id);
      storePosts([post, ...ancestors, ...replies]);
      return {
        id: post.id,
        rootId,
        ancestorIds: ancestors.map((above) => above.id),
        replyIds: replies.map((reply) => reply.id),
      };
    },
  };
}

/** One post. Lists fill this in; only a post that no list has seen is fetched. */
export function postQuery(id: string) {
  return {
    queryKey: keys.post(id),
    queryFn: async () => (await fetchThread(id)).post,
  };
}

/** A post or, of a repost, the original. */
export function useOriginal(id: string, enabled = true): Post | undefined {
  const { data: entry } = useQuery({ ...postQuery(id), enabled });
  return useQuery({ ...postQuery(entry?.repostOf?.id ?? id), enabled }).data;
}

async function fetchThread(id: string) {
  return bodyOf(await api.GET("/api/posts/{id}/thread", { params: { path: { id } } }));
}

/** Publishes a post; the same key within a day returns the first result instead of a second post. */
export async function createPost(body: NewPost, idempotencyKey: string): Promise<Post> {
  const header = { "Idempotency-Key": idempotencyKey };
  return bodyOf(await api.POST("/api/posts", { params: { header }, body }));
}

export async function deletePost(id: string): Promise<void> {
  await api.DELETE("/api/posts/{id}", { params: { path: { id } } });
}

export async function sendLike(id: string, on: boolean): Promise<void> {
  const params = { path: { id } };
  const send = on ? api.POST : api.DELETE;
  storePosts([bodyOf(await send("/api/posts/{id}/like", { params }))]);
}

export async function sendRepost(id: string, on: boolean): Promise<void> {
  const params = { path: { id } };
  const post = on
    ? await createPost({ content: "♻️", repostOfId: id }, randomId())
    : bodyOf(await api.DELETE("/api/posts/{id}/repost", { params }));
  storePosts([post]);
}

/** Votes in a poll, or withdraws the vote; until it expires a member may change their mind. */
export async function sendVote(id: string, option: string | null): Promise<void> {
  const params = { path: { id } };
  const voted =
    option === null
      ? await api.DELETE("/api/posts/{id}/vote", { params })
      : await api.POST("/api/posts/{id}/vote", { params, body: { option } });
  storePosts([bodyOf(voted)]);
}
