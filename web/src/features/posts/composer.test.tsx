import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { createDeferred } from "@/test/deferred";
import { network } from "@/test/mock-api/network";
import { http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { Composer } from "./composer";

async function renderComposer(replyToId?: string) {
  const onPosted = vi.fn();
  const screen = await renderInApp(
    <Composer rows={2} onPosted={onPosted} {...(replyToId && { replyToId })} />,
  );
  return {
    screen,
    onPosted,
    text: screen.getByLabelText(replyToId ? "Your reply" : "Your post"),
    button: screen.getByRole("button", { name: /^Post/ }),
  };
}

/** Fails each attempt to post; returns the keys of the attempts. */
function failToPost(...errors: { status: 404 | 422 | 503; code: string; message: string }[]) {
  const keys: (string | null)[] = [];
  worker.use(
    http.post("/api/posts", ({ request, response }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      const { status, code, message } = errors[keys.length - 1] ?? {
        status: 503,
        code: "unavailable",
        message: "",
      };
      return response(status).json({ code, message });
    }),
  );
  return keys;
}

// proves: composer-counter, composer-disabled
test("the counter counts graphemes, up to 500", async () => {
  const { screen, text, button } = await renderComposer();
  await userEvent.fill(text, "👨‍👩‍👧‍👦 at home");
  await expect.element(text).toHaveAccessibleDescription("Characters used: 9/500");
  await expect.element(button).toBeEnabled();
  await userEvent.fill(text, "x".repeat(500));
  await expect.element(button).toBeEnabled();
  await userEvent.fill(text, "x".repeat(501));
  await expect.element(screen.getByText("501/500")).toHaveClass("text-destructive");
  await expect.element(screen.getByText("1 character too many")).toBeInTheDocument();
  await expect.element(button).toBeDisabled();
});

// proves: composer-disabled
test("a blank text cannot be posted, not even by a key", async () => {
  const { text, button } = await renderComposer();
  const count = network.posts.length;
  await userEvent.fill(text, " \n\t");
  await expect.element(button).toBeDisabled();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.element(text).toHaveValue(" \n\t");
  expect(network.posts).toHaveLength(count);
});

// proves: composer-pending, composer-success, composer-clears
test("a post is sent once, and the composer is empty after it", async () => {
  const { text, button, onPosted } = await renderComposer();
  const { promise, resolve } = createDeferred();
  let requestCount = 0;
  worker.use(
    http.post("/api/posts", async () => {
      requestCount += 1;
      await promise;
    }),
  );
  await userEvent.fill(text, "Hello, lake.");
  await button.click();
  await expect.element(button).toHaveTextContent("Posting...");
  await expect.element(text).toHaveAttribute("readonly");
  await text.click();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  resolve();
  await expectToast("Post created", "Your post has been shared successfully.");
  await expect.element(text).toHaveValue("");
  expect(network.posts[0]?.content).toBe("Hello, lake.");
  expect(requestCount).toBe(1);
  expect(onPosted).toHaveBeenCalledOnce();
});

// proves: composer-kept, composer-key
test("a rejected post shows the reason, keeps its text and its key, and can be sent again", async () => {
  const { screen, text, button, onPosted } = await renderComposer();
  const message = "Please wait a minute before you post again.";
  const keys = failToPost({ status: 503, code: "busy", message });
  await userEvent.fill(text, "Hello, lake.");
  await button.click();
  await expectToast("Error", message);
  await expect.element(text).toHaveValue("Hello, lake.");
  await button.click();
  await expect.poll(() => keys.length).toBe(2);
  expect(keys[1]).toBe(keys[0]);
  await userEvent.fill(text, "Hello, sea.");
  await button.click();
  await expect.poll(() => keys.length).toBe(3);
  expect(keys[2]).not.toBe(keys[0]);
  expect(onPosted).not.toHaveBeenCalled();
  await screen.unmount();
  await expect.element((await renderComposer()).text).toHaveValue("Hello, sea.");
});

// proves: composer-failed
test("without a sentence of the server the composer has its own", async () => {
  const { text, button } = await renderComposer();
  failToPost();
  await userEvent.fill(text, "Hello, lake.");
  await button.click();
  await expectToast("Error", "Failed to create post. Please try again.");
});

// proves: composer-poll-two, composer-poll-add, composer-poll-blank, composer-needs-text
test("a poll needs two different options and a text", async () => {
  const { screen, text, button } = await renderComposer();
  const option = (number: number) => screen.getByLabelText(`Option ${number}`, { exact: true });
  await text.click();
  await screen.getByRole("button", { name: "Add poll" }).click();
  await expect.element(option(2)).toHaveAttribute("placeholder", "Option 2");
  await userEvent.fill(option(1), "Saturday");
  await expect.element(screen.getByText("A poll needs at least two options.")).toBeVisible();
  await userEvent.fill(option(2), " saturday ");
  await expect.element(screen.getByText("Each option must be different.")).toBeVisible();
  await userEvent.fill(option(2), "Sunday");
  await expect.element(screen.getByText("Add some text to post your poll.")).toBeVisible();
  await userEvent.fill(text, "Which day?");
  const add = screen.getByRole("button", { name: "Add option" });
  await add.click();
  await add.click();
  await expect.element(add).not.toBeInTheDocument();
  await userEvent.fill(option(4), "Monday");
  await button.click();
  await expectToast("Post created", "Your post has been shared successfully.");
  expect(network.posts[0]?.pollOptions).toEqual(["Saturday", "Sunday", "Monday"]);
  await expect.element(option(1)).not.toBeInTheDocument();
});

// proves: composer-poll-forgets, composer-poll-remove
test("a removed poll is gone", async () => {
  const { screen, text } = await renderComposer();
  await text.click();
  await screen.getByRole("button", { name: "Add poll" }).click();
  await userEvent.fill(screen.getByLabelText("Option 1", { exact: true }), "Saturday");
  await screen.getByRole("button", { name: "Remove poll" }).click();
  await screen.getByRole("button", { name: "Add poll" }).click();
  await expect.element(screen.getByLabelText("Option 1", { exact: true })).toHaveValue("");
  await screen.getByRole("button", { name: "Remove option 1" }).click();
  await screen.getByRole("button", { name: "Remove option 1" }).click();
  await expect.element(screen.getByRole("button", { name: "Add poll" })).toBeVisible();
});

// proves: composer-key-gone
test.each([
  ["a post of its own that is gone is given up", false, 404, "post_not_found", false],
  ["a reply to a post that is gone is given up", true, 404, "post_not_found", false],
  ["a post whose image is gone stays", false, 404, "upload_not_found", true],
  ["a post that was not made stays", false, 503, "unavailable", true],
] as const)("the key of %s", async (_, isReply, status, code, stays) => {
  const { text, button } = await renderComposer(isReply ? network.posts[0]?.id : undefined);
  const lost = { status: 503, code: "unavailable", message: "" } as const;
  const rejected = { status, code, message: "" };
  const keys = failToPost(lost, rejected, rejected);
  await userEvent.fill(text, "hi");
  for (const count of [1, 2, 3]) {
    await expect.element(button).toHaveTextContent("Post");
    await button.click();
    await expect.poll(() => keys.length).toBe(count);
  }
  expect(keys[1], "a response that was lost").toBe(keys[0]);
  expect(keys[2] === keys[1]).toBe(stays);
  await expect.element(text).toHaveValue("hi");
});

// proves: composer-reply-gone
test.each([
  [
    "a reply to a post that is gone",
    true,
    "post_not_found",
    "The post that you reply to may be gone. Your text stays here.",
  ],
  [
    "a reply whose image is gone",
    true,
    "upload_not_found",
    "Failed to create post. Please try again.",
  ],
  [
    "a post of its own that is gone",
    false,
    "post_not_found",
    "Failed to create post. Please try again.",
  ],
])("%s says so, and is kept", async (_, isReply, code, sentence) => {
  const { text, button } = await renderComposer(isReply ? network.posts[0]?.id : undefined);
  failToPost({ status: 404, code, message: "" });
  await userEvent.fill(text, "hi");
  await button.click();
  await expectToast("Error", sentence);
  await expect.element(text).toHaveValue("hi");
});

test("a reply belongs to its post", async () => {
  const parent = network.posts[0];
  const { text, button } = await renderComposer(parent?.id);
  await userEvent.fill(text, "So did the pond.");
  await button.click();
  await expectToast("Post created", "Your post has been shared successfully.");
  expect(network.posts[0]?.replyToId).toBe(parent?.id);
});
