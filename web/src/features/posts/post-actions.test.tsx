import { expect, test } from "vitest";
import { useQuery } from "@tanstack/react-query";
import { upsertPosts } from "@/api/post-cache";
import { postQuery } from "@/api/posts";
import { createDeferred } from "@/test/deferred";
import { findPost, network } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { PostActions } from "./post-actions";

function CachedPostActions({ id }: { id: string }) {
  const { data: post } = useQuery(postQuery(id));
  return post && <PostActions post={post} />;
}

/** Renders the actions of the newest post, which four members like. */
async function renderActions() {
  const [post] = network.posts;
  if (!post) throw new Error("The network has no posts.");
  upsertPosts([{ ...post }]);
  return { id: post.id, screen: await renderInApp(<CachedPostActions id={post.id} />) };
}

// proves: card-like
test("a like counts before the server responds, and stays", async () => {
  const { id, screen } = await renderActions();
  const response = createDeferred();
  worker.use(http.post("/api/posts/{id}/like", () => response.promise.then(() => undefined)));
  await screen.getByRole("button", { name: "Like, 4" }).click();
  const unlike = screen.getByRole("button", { name: "Unlike, 5" });
  await expect.element(unlike).toHaveAttribute("aria-pressed", "true");
  expect(findPost(id)?.isLiked).toBe(false);
  response.resolve();
  await expect.poll(() => findPost(id)?.isLiked).toBe(true);
  await expect.element(unlike).toBeVisible();
  await unlike.click();
  await expect.poll(() => findPost(id)?.isLiked).toBe(false);
});

// proves: card-like-reverts
test("a rejected like is taken back, with the server's sentence", async () => {
  const { screen } = await renderActions();
  worker.use(
    http.post("/api/posts/{id}/like", ({ response }) =>
      response(429).json(errorBody("You're doing that too often.")),
    ),
  );
  await screen.getByRole("button", { name: "Like, 4" }).click();
  await expectToast("Error", "You're doing that too often.");
  await expect
    .element(screen.getByRole("button", { name: "Like, 4" }))
    .toHaveAttribute("aria-pressed", "false");
});

test("a repost adds a post of mine, and is undone", async () => {
  const { id, screen } = await renderActions();
  await screen.getByRole("button", { name: "Repost", exact: true }).click();
  const undo = screen.getByRole("button", { name: "Undo repost, 1" });
  await expect.element(undo).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => network.posts[0]?.repostOfId).toBe(id);
  await undo.click();
  await expect.element(screen.getByRole("button", { name: "Repost", exact: true })).toBeVisible();
  await expect.poll(() => network.posts[0]?.id).toBe(id);
});
