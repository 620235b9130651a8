import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { newPosts } from "@/api/live/new-posts";
import { followingFeedQuery } from "@/api/posts";
import { findUser, getViewer, network } from "@/test/mock-api/network";
import { makePost } from "@/test/mock-api/records";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { Composer } from "./composer";
import { NewPostsButton } from "./new-posts-button";
import { PostFeed } from "./post-feed";

afterEach(() => scrollTo(0, 0));

/** Adds posts of a followed member to the network, the first one first. */
function publish(...texts: string[]): string[] {
  const jonas = findUser("jonas");
  if (!jonas) throw new Error("The network has no Jonas.");
  const posts = texts.map((text) => makePost(jonas, text));
  network.posts.unshift(...posts.toReversed());
  return posts.map(({ id }) => id);
}

/** Renders a Friends feed with this many posts, one of them the viewer's. */
async function renderFeed(count = 2) {
  publish(...Array.from({ length: count - 2 }, (_, index) => `Older post ${index}`));
  const newest = network.posts[0]?.id ?? "";
  const screen = await renderInApp(
    <main>
      <Composer rows={2} />
      <NewPostsButton />
      <PostFeed list={followingFeedQuery} empty={null} renderMenu={() => null} />
    </main>,
  );
  const articles = screen.getByRole("article");
  await expect.element(articles.first()).toBeVisible();
  return {
    screen,
    articles,
    announce: (total: number) => newPosts.set({ feed: newest, count: total }),
  };
}

const getTexts = () =>
  page
    .getByRole("article")
    .elements()
    .map(
      ({ textContent }) => /Older post \d+|New \w+|Mine|The lake|My first/.exec(textContent)?.[0],
    );

// proves: live-new-posts, live-new-posts-still
test("new posts are a button with their number, and cause no layout shift", async () => {
  const { screen, articles, announce } = await renderFeed();
  const button = screen.getByRole("button", { name: /new post/ });
  await expect.element(button).not.toBeInTheDocument();
  const top = articles.first().element().getBoundingClientRect().top;
  announce(1);
  await expect.element(button).toHaveTextContent(/^1 new post$/);
  await expect.element(screen.getByText("There are new posts.")).toHaveRole("status");
  announce(20);
  await expect.element(button).toHaveTextContent(/^20 new posts$/);
  announce(21);
  await expect.element(button).toHaveTextContent(/^20\+ new posts$/);
  expect(articles.first().element().getBoundingClientRect().top).toBe(top);
  announce(0);
  await expect.element(button).not.toBeInTheDocument();
});

// proves: live-new-posts-load
test("the button loads them above what was loaded, and focuses the first", async () => {
  const { screen, announce } = await renderFeed(30);
  await screen.getByRole("button", { name: "Load more posts" }).click();
  await expect.poll(() => getTexts().length).toBe(30);
  const before = getTexts();
  const [, second] = publish("New one", "New two");
  announce(2);
  scrollTo(0, document.body.scrollHeight);
  const button = screen.getByRole("button", { name: "2 new posts" });
  await expect.element(button).toBeInViewport();
  await button.click();
  await expect.poll(getTexts).toEqual(["New two", "New one", ...before]);
  const first = document.querySelector<HTMLElement>(`[data-row="${second}"]`);
  await expect.poll(() => document.activeElement).toBe(first);
  await expect.element(first).toBeInViewport({ ratio: 1 });
  await expect.element(button).not.toBeInTheDocument();
  await expect.element(screen.getByText("2 new posts loaded")).toHaveRole("status");
});

// proves: live-new-posts-gap
test("if there are more than a page of them, they replace what was loaded", async () => {
  const { screen, announce } = await renderFeed();
  publish(...Array.from({ length: 25 }, (_, index) => `Older post ${index}`));
  announce(21);
  await screen.getByRole("button", { name: "20+ new posts" }).click();
  await expect.poll(() => getTexts().length).toBe(20);
  await screen.getByRole("button", { name: "Load more posts" }).click();
  await expect.poll(getTexts).toHaveLength(27);
  expect(getTexts().slice(-2)).toEqual(["The lake", "My first"]);
});

// proves: live-new-posts-failed
test("if they can't be loaded, the button stays", async () => {
  const { screen, announce } = await renderFeed();
  publish("New one");
  announce(1);
  worker.use(http.get("/api/posts/feed", ({ response }) => response(503).json(errorBody(""))));
  await screen.getByRole("button", { name: "1 new post" }).click();
  await expectToast("Error", "Failed to refresh the feed. Please try again.");
  await expect.element(screen.getByRole("button", { name: "1 new post" })).toBeVisible();
});

// proves: live-new-posts-own
test("a post of one's own does not hide that others are new", async () => {
  const { screen, announce } = await renderFeed(30);
  await screen.getByRole("button", { name: "Load more posts" }).click();
  await expect.poll(() => getTexts().length).toBe(30);
  publish("New one");
  announce(1);
  scrollTo(0, document.body.scrollHeight);
  await expect.element(screen.getByRole("button", { name: "1 new post" })).toBeInViewport();
  // Posted far down the page, where it is added without fetching the feed again.
  await screen.getByLabelText("Your post").fill("Mine");
  scrollTo(0, document.body.scrollHeight);
  screen
    .getByRole("button", { name: "Post", exact: true })
    .element()
    .dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await expect.poll(() => getTexts()[0]).toBe("Mine");
  await screen.getByRole("button", { name: "1 new post" }).click();
  await expect.poll(() => getTexts().slice(0, 2)).toEqual(["Mine", "New one"]);
  expect(network.posts[0]?.author.id).toBe(getViewer().id);
});
