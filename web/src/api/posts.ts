import { type QueryKey, useQuery } from "@tanstack/react-query";
import { randomId } from "@/lib/text/random-id";
import { api, unwrap } from "./client";
import { queryKeys, type ProfileFilter } from "./query-keys";
import type { ListParams, ListPath } from "./list-endpoints";
import { paginatedQuery } from "./paginated-query";
import { type PostRow, upsertPosts, type ThreadEntry } from "./post-cache";
import type { CreatePostInput, Post } from "./types";

const PAGE_SIZE = 20;

function postListQuery<Path extends ListPath<Post>>(
  queryKey: QueryKey,
  path: Path,
  params: ListParams<Path>,
) {
  return paginatedQuery<Path, PostRow>(path, {
    ...params,
    queryKey,
    pageSize: PAGE_SIZE,
    initialPageParam: { offset: 0 },
    refetchFirstPageOnly: true,
    mapRows: (rows) => upsertPosts(rows as Post[]),
  });
}

export const followingFeedQuery = postListQuery(queryKeys.feed("friends"), "/api/posts/feed", {});

export const forYouFeedQuery = postListQuery(queryKeys.feed("for-you"), "/api/posts/for-you", {});

export const userPostsQuery = (username: string, filter: ProfileFilter) =>
  postListQuery(queryKeys.userPosts(username, filter), "/api/users/{username}/posts", {
    path: { username },
    query: { filter },
  });

export const hashtagPostsQuery = (tag: string) =>
  postListQuery(queryKeys.hashtag(tag), "/api/hashtags/{tag}/posts", { path: { tag } });

export function threadQuery(id: string) {
  return {
    queryKey: queryKeys.thread(id),
    queryFn: async (): Promise<ThreadEntry> => {
      const { rootId = null, ancestors = [], post, replies } = await fetchThread(id);
      upsertPosts([post, ...ancestors, ...replies]);
      return {
        id: post.id,
        rootId,
        ancestorIds: ancestors.map((ancestor) => ancestor.id),
        replyIds: replies.map((reply) => reply.id),
      };
    },
  };
}

/** One post. Lists fill this in; only a post that no list has seen is fetched. */
export function postQuery(id: string) {
  return {
    queryKey: queryKeys.post(id),
    queryFn: async () => (await fetchThread(id)).post,
  };
}

/** A post or, of a repost, the original. */
export function useOriginalPost(id: string, enabled = true): Post | undefined {
  const { data: entry } = useQuery({ ...postQuery(id), enabled });
  return useQuery({ ...postQuery(entry?.repostOf?.id ?? id), enabled }).data;
}

async function fetchThread(id: string) {
  return unwrap(await api.GET("/api/posts/{id}/thread", { params: { path: { id } } }));
}

/** Publishes a post; the same key within a day returns the first result instead of a second post. */
export async function createPost(body: CreatePostInput, idempotencyKey: string): Promise<Post> {
  const header = { "Idempotency-Key": idempotencyKey };
  return unwrap(await api.POST("/api/posts", { params: { header }, body }));
}

export async function deletePost(id: string): Promise<void> {
  await api.DELETE("/api/posts/{id}", { params: { path: { id } } });
}

export async function setLike(id: string, on: boolean): Promise<void> {
  const params = { path: { id } };
  const request = on ? api.POST : api.DELETE;
  upsertPosts([unwrap(await request("/api/posts/{id}/like", { params }))]);
}

export async function setRepost(id: string, on: boolean): Promise<void> {
  const params = { path: { id } };
  const post = on
    ? await createPost({ content: "♻️", repostOfId: id }, randomId())
    : unwrap(await api.DELETE("/api/posts/{id}/repost", { params }));
  upsertPosts([post]);
}

/** Votes in a poll, or withdraws the vote; until it expires a member may change their mind. */
export async function votePoll(id: string, option: string | null): Promise<void> {
  const params = { path: { id } };
  const voted =
    option === null
      ? await api.DELETE("/api/posts/{id}/vote", { params })
      : await api.POST("/api/posts/{id}/vote", { params, body: { option } });
  upsertPosts([unwrap(voted)]);
}
