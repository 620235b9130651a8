import { withLike, withRepost, withVote } from "@/api/post-cache";
import type { CreatePostInput, Post } from "@/api/types";
import { findPost, findUser, getViewer, network } from "./network";
import { hoursAgo, makePost, toSummary } from "./records";
import { errorBody, http, NOT_FOUND, paginate } from "./typed-http";

const POST_NOT_FOUND = { ...NOT_FOUND, code: "post_not_found" };
const POLL_HOURS = 24;

function updatePost(id: unknown, change: (post: Post) => Post): Post | undefined {
  const post = findPost(id);
  return post && Object.assign(post, change(post));
}

function createPost({ content, replyToId, repostOfId, ...input }: CreatePostInput) {
  const pollOptions = input.pollOptions ?? [];
  const repostOf = repostOfId ? updatePost(repostOfId, (post) => withRepost(post, true)) : null;
  const parent = replyToId
    ? updatePost(replyToId, (post) => ({ ...post, replyCount: post.replyCount + 1 }))
    : null;
  if (parent === undefined || repostOf === undefined) return undefined;
  const post = makePost(getViewer(), content ?? "", {
    createdAt: hoursAgo(0),
    pollOptions,
    pollExpiresAt: pollOptions.length > 0 ? hoursAgo(-POLL_HOURS) : null,
    replyToId: parent?.id ?? null,
    replyTo: parent && { id: parent.id, author: parent.author },
    repostOfId: repostOf?.id ?? null,
    repostOf,
  });
  network.posts.unshift(post);
  return post;
}

const getRootPosts = () => network.posts.filter(({ replyToId }) => replyToId === null);

function getPostsOf(username: unknown, filter: string): Post[] {
  if (filter === "likes") return network.posts.filter(({ isLiked }) => isLiked);
  const own = network.posts.filter(({ author }) => author.username === username);
  if (filter === "media") return own.filter(({ images }) => images.length > 0);
  return own.filter(({ replyToId }) => (filter === "replies") === (replyToId !== null));
}

function getAncestors(post: Post): Post[] {
  const parent = findPost(post.replyToId);
  return parent ? [...getAncestors(parent), parent] : [];
}

const feedHandlers = [
  http.get("/api/posts/feed", (info) =>
    info.response(200).json(
      ...paginate(
        info,
        getRootPosts().filter(({ author }) => {
          const user = findUser(author.username);
          return user?.isFollowing === true || user?.id === network.viewer?.id;
        }),
      ),
    ),
  ),
  http.get("/api/posts/for-you", (info) =>
    info.response(200).json(
      ...paginate(
        info,
        getRootPosts().filter(({ isMuted, isHidden }) => !isMuted && !isHidden),
      ),
    ),
  ),
  http.get("/api/hashtags/{tag}/posts", (info) =>
    info.response(200).json(
      ...paginate(
        info,
        network.posts.filter(({ content }) => content.includes(`#${String(info.params.tag)}`)),
      ),
    ),
  ),
  http.get("/api/users/{username}/posts", (info) =>
    info
      .response(200)
      .json(
        ...paginate(info, getPostsOf(info.params.username, info.query.get("filter") ?? "posts")),
      ),
  ),
  http.get("/api/trending", ({ response }) =>
    response(200).json([
      { tag: "winter", postCount: 12, category: null },
      { tag: "bread", postCount: 5, category: "Food" },
    ]),
  ),
];

/** Feeds, threads, and all that members do with posts. */
export const postHandlers = [
  ...feedHandlers,
  http.get("/api/posts/{id}/thread", ({ params, response }) => {
    const post = findPost(params.id);
    if (!post) return response(404).json(POST_NOT_FOUND);
    const replies = network.posts.filter(({ replyToId }) => replyToId === post.id).toReversed();
    const ancestors = getAncestors(post);
    return response(200).json({ post, ancestors, replies, rootId: ancestors[0]?.id ?? null });
  }),
  http.post("/api/posts", async ({ request, response }) => {
    const post = createPost(await request.json());
    return post ? response(201).json(post) : response(404).json(POST_NOT_FOUND);
  }),
  http.delete("/api/posts/{id}", ({ params, response }) => {
    network.posts = network.posts.filter(({ id }) => id !== params.id);
    return response(204).empty();
  }),
  http.post("/api/posts/{id}/like", ({ params, response }) => {
    const post = updatePost(params.id, (it) => withLike(it, true));
    return post ? response(200).json(post) : response(404).json(POST_NOT_FOUND);
  }),
  http.delete("/api/posts/{id}/like", ({ params, response }) => {
    const post = updatePost(params.id, (it) => withLike(it, false));
    return post ? response(200).json(post) : response(404).json(POST_NOT_FOUND);
  }),
  http.delete("/api/posts/{id}/repost", ({ params, response }) => {
    const { id } = toSummary(getViewer());
    network.posts = network.posts.filter(
      (it) => it.repostOfId !== params.id || it.author.id !== id,
    );
    const post = updatePost(params.id, (it) => withRepost(it, false));
    return post ? response(200).json(post) : response(404).json(POST_NOT_FOUND);
  }),
  http.post("/api/posts/{id}/vote", async ({ params, request, response }) => {
    const { option } = await request.json();
    const isOption = findPost(params.id)?.pollOptions.includes(option);
    if (!isOption) return response(400).json(errorBody("The poll has no such option."));
    const post = updatePost(params.id, (it) => withVote(it, option));
    return post ? response(200).json(post) : response(404).json(POST_NOT_FOUND);
  }),
  http.delete("/api/posts/{id}/vote", ({ params, response }) => {
    const post = updatePost(params.id, (it) => withVote(it, null));
    return post ? response(200).json(post) : response(404).json(POST_NOT_FOUND);
  }),
];
