import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/api-error";
import { createPost } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import { toastError } from "@/lib/state/toast";
import { toCreatePostInput, getIdempotencyKey, type DraftHandle, getDraft } from "./draft";
import { useCreatePost } from "./use-create-post";

vi.mock("@/api/posts", () => ({ createPost: vi.fn() }));
vi.mock("@/lib/state/toast", () => ({ toast: vi.fn(), toastError: vi.fn() }));

beforeEach(() => {
  vi.stubGlobal("addEventListener", () => {});
});

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

let members = 0;

/** A member who has no draft yet. */
function nextMember(): string {
  members += 1;
  return String(members);
}

/** Has a composer send a draft, and waits for what comes of it; says under which key it went. */
async function send(draft: DraftHandle, replyToId?: string): Promise<string> {
  const body = toCreatePostInput(draft.store.get(), replyToId);
  const key = getIdempotencyKey(draft, body);
  let mutate: ReturnType<typeof useCreatePost>["mutate"] | undefined;
  function Sender() {
    ({ mutate } = useCreatePost(draft));
    return null;
  }
  const sender = createElement(Sender);
  renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, sender));
  mutate?.({ body, key });
  await vi.waitFor(() => expect(queryClient.isMutating()).toBe(0));
  return key;
}

// proves: composer-key-gone
it.each([
  ["a post of its own that is gone goes", undefined, 404, "post_not_found", false],
  ["a reply that finds nothing to answer is given up", "9", 404, "post_not_found", false],
  ["a post whose image is gone stays", undefined, 404, "upload_not_found", true],
  ["a post that was not made stays", undefined, 503, "unavailable", true],
])("the key of %s", async (_, replyToId, status, code, stays) => {
  const draft = getDraft(nextMember(), replyToId);
  draft.update({ text: "hi" });
  vi.mocked(createPost).mockRejectedValueOnce(new TypeError("offline"));
  const key = await send(draft, replyToId);
  vi.mocked(createPost).mockRejectedValue(new ApiError(status, "", JSON.stringify({ code })));
  expect(await send(draft, replyToId), "an answer that was lost").toBe(key);
  expect((await send(draft, replyToId)) === key).toBe(stays);
  expect(draft.store.get().text).toBe("hi");
});

// proves: composer-reply-gone
it.each([
  [
    "a reply to a post that is gone",
    "9",
    404,
    "post_not_found",
    /^The post that you reply to may be gone/,
  ],
  ["a reply whose image is gone", "9", 404, "upload_not_found", /^Failed to create post/],
  ["a post of its own that is gone", undefined, 404, "post_not_found", /^Failed to create post/],
])("%s says so, and is kept", async (_, replyToId, status, code, sentence) => {
  const draft = getDraft(nextMember(), replyToId);
  draft.update({ text: "hi" });
  vi.mocked(createPost).mockRejectedValue(new ApiError(status, "", JSON.stringify({ code })));
  await send(draft, replyToId);
  const said = vi.mocked(toastError).mock.calls.map(([description]) => description);
  expect(said).toEqual([expect.stringMatching(sentence)]);
  expect(draft.store.get().text).toBe("hi");
});
