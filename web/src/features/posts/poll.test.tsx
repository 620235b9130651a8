import { useQuery } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { upsertPosts } from "@/api/post-cache";
import { postQuery } from "@/api/posts";
import type { Post } from "@/api/types";
import { createDeferred } from "@/test/deferred";
import { findPost, network } from "@/test/mock-api/network";
import { hoursAgo } from "@/test/mock-api/records";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { Poll } from "./poll";

function CachedPoll({ id }: { id: string }) {
  const { data: post } = useQuery(postQuery(id));
  return post && <Poll post={post} />;
}

/** Renders the poll of the network: Saturday has three votes, Sunday one. */
async function renderPoll(values: Partial<Post> = {}) {
  const post = network.posts.find(({ pollOptions }) => pollOptions.length > 0);
  if (!post) throw new Error("The network has no poll.");
  upsertPosts([{ ...Object.assign(post, values) }]);
  const screen = await renderInApp(<CachedPoll id={post.id} />);
  const option = (name: string) => screen.getByRole("button", { name });
  return { id: post.id, screen, option };
}

// proves: card-poll-percent
test("a vote counts before the server responds, can be changed and withdrawn", async () => {
  const { id, screen, option } = await renderPoll();
  await expect.element(option("Saturday")).toHaveTextContent("75%");
  const { promise, resolve } = createDeferred();
  worker.use(http.post("/api/posts/{id}/vote", () => promise.then(() => undefined)));
  await option("Sunday").click();
  await expect.element(option("Sunday")).toHaveTextContent("40%");
  await expect.element(option("Sunday")).toHaveAttribute("aria-pressed", "true");
  await expect.element(screen.getByText("5 votes")).toBeVisible();
  expect(findPost(id)?.pollMyVote).toBeNull();
  resolve();
  await expect.poll(() => findPost(id)?.pollMyVote).toBe("Sunday");
  await option("Saturday").click();
  await expect.element(option("Saturday")).toHaveTextContent("80%");
  await expect.poll(() => findPost(id)?.pollMyVote).toBe("Saturday");
  await screen.getByRole("button", { name: "Undo vote" }).click();
  await expect.element(screen.getByText("4 votes")).toBeVisible();
  await expect.element(option("Saturday")).toHaveAttribute("aria-pressed", "false");
  await expect.poll(() => findPost(id)?.pollMyVote).toBeNull();
});

// proves: card-vote-undo
test("a vote is withdrawn while the server has not responded to it", async () => {
  const { id, screen, option } = await renderPoll();
  const { promise, resolve } = createDeferred();
  worker.use(http.post("/api/posts/{id}/vote", () => promise.then(() => undefined)));
  await option("Sunday").click();
  await screen.getByRole("button", { name: "Undo vote" }).click();
  await expect.element(screen.getByText("4 votes")).toBeVisible();
  resolve();
  await expect.poll(() => findPost(id)?.pollMyVote).toBeNull();
  await expect.element(option("Sunday")).toHaveAttribute("aria-pressed", "false");
  await expect.element(screen.getByText("4 votes")).toBeVisible();
});

test("a rejected vote is taken back, with the server's sentence", async () => {
  const { screen, option } = await renderPoll();
  worker.use(
    http.post("/api/posts/{id}/vote", ({ response }) =>
      response(409).json(errorBody("This poll has ended.")),
    ),
  );
  await option("Sunday").click();
  await expectToast("Error", "This poll has ended.");
  await expect.element(option("Sunday")).toHaveTextContent("25%");
  await expect.element(option("Sunday")).toHaveAttribute("aria-pressed", "false");
  await expect.element(screen.getByText("4 votes")).toBeVisible();
});

// proves: card-poll-expires
test("an expired poll shows its result only", async () => {
  const { screen } = await renderPoll({ pollExpiresAt: hoursAgo(2), pollMyVote: "Sunday" });
  await expect.element(screen.getByText("Expired 2 hours ago")).toBeVisible();
  await expect.element(screen.getByLabelText("Your vote")).toBeVisible();
  expect(screen.getByRole("button").elements()).toEqual([]);
});
