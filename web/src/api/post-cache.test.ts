import { beforeEach, describe, expect, it } from "vitest";
import { queryKeys } from "./query-keys";
import {
  updateAuthorInCache,
  updatePostInCache,
  upsertPosts,
  getVoteCount,
  withLike,
  withRepost,
  withVote,
} from "./post-cache";
import { queryClient } from "./query-client";
import type { Post } from "./types";

function post(id: string, more: Partial<Post> = {}): Post {
  return {
    id,
    content: "hello",
    author: { id: "a", username: "ada", displayName: "Ada" },
    createdAt: "2026-11-21T09:30:00.000Z",
    replyCount: 0,
    repostCount: 0,
    likeCount: 0,
    isLiked: false,
    isReposted: false,
    ...more,
  } as Post;
}

const postOf = (id: string) => queryClient.getQueryData<Post>(queryKeys.post(id));

beforeEach(() => queryClient.clear());

describe("the post cache", () => {
  it("restores a hidden post, but not a deleted one", () => {
    upsertPosts([post("1", { isDeleted: true, isHidden: true }), post("2", { isDeleted: true })]);
    upsertPosts([post("1", { content: "again" }), post("2", { content: "again" })]);
    expect(postOf("1")?.content).toBe("again");
    expect(postOf("2")?.isDeleted).toBe(true);
  });

  it("caches the original of a repost separately", () => {
    const rows = upsertPosts([post("2", { repostOfId: "1", repostOf: post("1") })]);
    expect(rows).toEqual([{ id: "2" }]);
    updatePostInCache("1", (original) => withLike(original, true));
    expect(queryClient.getQueryData<Post>(queryKeys.post("1"))?.likeCount).toBe(1);
  });
  it("shows a member's new name wherever they wrote, were answered or reposted", () => {
    const other = { id: "b", username: "bo", displayName: "Bo", profileImageUrl: null };
    const reply = post("2", { author: other, replyTo: { id: "1", author: post("1").author } });
    const repost = post("3", { author: other, repostOfId: "1", repostOf: post("1") });
    upsertPosts([reply, repost]);
    updateAuthorInCache({
      id: "a",
      username: "ada_l",
      displayName: "Ada L.",
      profileImageUrl: null,
    });
    expect(postOf("1")?.author.username).toBe("ada_l");
    expect(postOf("2")?.replyTo?.author.displayName).toBe("Ada L.");
    expect(postOf("3")?.repostOf?.author.displayName).toBe("Ada L.");
    expect(postOf("3")?.author).toEqual(other);
  });
  it("does not invent a post it never saw", () => {
    updatePostInCache("9", (known) => withLike(known, true));
    expect(queryClient.getQueryData(queryKeys.post("9"))).toBeUndefined();
  });
});

describe("interactions applied to a post", () => {
  it("count once, however often they are applied", () => {
    const liked = withLike(withLike(post("1"), true), true);
    expect([liked.likeCount, liked.isLiked]).toEqual([1, true]);
    expect(withLike(liked, false).likeCount).toBe(0);
    expect(withRepost(post("1", { repostCount: 4 }), true).repostCount).toBe(5);
  });
  it("move a vote from one option to another", () => {
    const before = post("1", {
      pollOptions: ["tea", "coffee"],
      pollTallies: { tea: 2, coffee: 0 },
      pollMyVote: "tea",
    });
    const after = withVote(before, "coffee");
    expect(after.pollTallies).toEqual({ tea: 1, coffee: 1 });
    expect(withVote(after, "coffee")).toBe(after);
  });
  it("lose a vote that is withdrawn", () => {
    const before = post("1", {
      pollOptions: ["tea", "coffee"],
      pollTallies: { tea: 2, coffee: 1 },
      pollMyVote: "tea",
    });
    const after = withVote(before, null);
    expect([after.pollTallies, after.pollMyVote]).toEqual([{ tea: 1, coffee: 1 }, null]);
    expect(withVote(after, null)).toBe(after);
  });
  it("count options with the names of built-in properties", () => {
    const options = ["__proto__", "constructor"];
    const voted = withVote(post("1", { pollOptions: options }), "__proto__");
    expect(options.map((option) => getVoteCount(voted, option))).toEqual([1, 0]);
  });
});
