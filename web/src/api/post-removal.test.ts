import { beforeEach, describe, expect, it } from "vitest";
import { queryKeys } from "./query-keys";
import type { InfinitePages } from "./paginated-query";
import { type PostRow, upsertPosts, type ThreadEntry } from "./post-cache";
import { removePostFromCache } from "./post-removal";
import { queryClient } from "./query-client";
import type { Post } from "./types";

function postOf(id: string, more: Partial<Post> = {}): Post {
  const author = { id: "1", username: "ada", displayName: "Ada", profileImageUrl: null };
  return { id, content: `Post ${id}`, author, replyCount: 0, isDeleted: false, ...more } as Post;
}

function listOf(...pages: string[][]): InfinitePages<PostRow> {
  return {
    pages: pages.map((ids) => ({ rows: ids.map((id) => ({ id })), next: null })),
    pageParams: pages.map(() => ({ offset: 0 })),
  };
}

const idsOf = (key: readonly unknown[]) =>
  queryClient
    .getQueryData<InfinitePages<PostRow>>(key)
    ?.pages.map(({ rows }) => rows.map(({ id }) => id));
const repliesOf = (id: string) =>
  queryClient.getQueryData<ThreadEntry>(queryKeys.thread(id))?.replyIds;

function threadWith(...replies: Post[]) {
  upsertPosts([postOf("1", { replyCount: 1 }), ...replies]);
  const replyIds = replies.map((reply) => reply.id);
  queryClient.setQueryData<ThreadEntry>(queryKeys.thread("1"), {
    id: "1",
    rootId: null,
    ancestorIds: [],
    replyIds,
  });
}

beforeEach(() => queryClient.clear());

describe("a deleted post", () => {
  it("leaves every list, with the reposts of it", () => {
    const post = postOf("2");
    upsertPosts([postOf("1"), post, postOf("3", { repostOfId: "2", repostOf: post })]);
    queryClient.setQueryData(queryKeys.feed("friends"), listOf(["3", "2"], ["1"]));
    queryClient.setQueryData(queryKeys.userPosts("ada", "likes"), listOf(["2", "1"]));
    queryClient.setQueryData(queryKeys.hashtag("tea"), listOf(["2"]));
    queryClient.setQueryData(queryKeys.user("ada"), { id: "1" });
    removePostFromCache(post);
    expect(idsOf(queryKeys.feed("friends"))).toEqual([[], ["1"]]);
    expect(idsOf(queryKeys.userPosts("ada", "likes"))).toEqual([["1"]]);
    expect(idsOf(queryKeys.hashtag("tea"))).toEqual([[]]);
    expect(queryClient.getQueryData(queryKeys.user("ada"))).toEqual({ id: "1" });
  });

  it("is not brought back by an answer that was under way", () => {
    const post = postOf("2");
    upsertPosts([post]);
    removePostFromCache(post);
    upsertPosts([post, postOf("3", { repostOf: post, repostOfId: "2" })]);
    expect(queryClient.getQueryData<Post>(queryKeys.post("2"))).toMatchObject({
      isDeleted: true,
      content: "",
    });
  });

  it("decreases the reply count of its parent", () => {
    upsertPosts([postOf("1", { replyCount: 2 })]);
    removePostFromCache(postOf("2", { replyToId: "1" }));
    expect(queryClient.getQueryData<Post>(queryKeys.post("1"))?.replyCount).toBe(1);
  });
});

describe("the placeholder of a deleted reply in a thread", () => {
  it("is absent without replies", () => {
    const reply = postOf("2", { replyToId: "1" });
    threadWith(reply, postOf("3", { replyToId: "1" }));
    removePostFromCache(reply);
    expect(repliesOf("1")).toEqual(["3"]);
  });

  it("stays while the reply has replies", () => {
    const reply = postOf("2", { replyToId: "1", replyCount: 1 });
    threadWith(reply, postOf("3", { replyToId: "2" }));
    removePostFromCache(reply);
    expect(repliesOf("1")).toEqual(["2", "3"]);
  });

  it("goes with the last answer to it", () => {
    const answer = postOf("3", { replyToId: "2" });
    threadWith(postOf("2", { replyToId: "1", isDeleted: true, replyCount: 1 }), answer);
    removePostFromCache(answer);
    expect(repliesOf("1")).toEqual([]);
  });
});
