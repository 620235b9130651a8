import { expect, test } from "vitest";
import { createDeferred } from "@/test/deferred";
import { findUser, findUserById } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { FollowButton } from "./follow-button";

/** Renders the button for Tom; the viewer does not follow him. */
async function renderButton() {
  const tom = findUser("tom");
  if (!tom) throw new Error("The network has no Tom.");
  const screen = await renderInApp(<FollowButton userId={tom.id} username="tom" />);
  const button = screen.getByRole("button", { name: /@tom$|^Loading|^Retry$/ });
  return { id: tom.id, button };
}

// proves: follow-texts, follow-toggles
test("a follow shows before the server responds, and can be taken back", async () => {
  const { id, button } = await renderButton();
  await expect.element(button).toHaveAccessibleName("Follow @tom");
  const { promise, resolve } = createDeferred();
  worker.use(http.post("/api/follows", () => promise.then(() => undefined)));
  await button.click();
  await expect.element(button).toHaveAccessibleName("Following @tom");
  await expect.element(button).toHaveAttribute("aria-pressed", "true");
  expect(findUserById(id)?.isFollowing).toBe(false);
  resolve();
  await expect.poll(() => findUserById(id)?.isFollowing).toBe(true);
  await button.click();
  await expect.element(button).toHaveTextContent("Follow");
  await expect.poll(() => findUserById(id)?.isFollowing).toBe(false);
});

test("clicks while a request is under way send the last of them only", async () => {
  const { id, button } = await renderButton();
  const { promise, resolve } = createDeferred();
  const requests: string[] = [];
  worker.use(
    http.post("/api/follows", async () => {
      requests.push("follow");
      await promise;
    }),
    http.delete("/api/follows/{userId}", () => {
      requests.push("unfollow");
    }),
  );
  for (const name of ["Following @tom", "Follow @tom", "Following @tom", "Follow @tom"]) {
    await button.click();
    await expect.element(button).toHaveAccessibleName(name);
  }
  resolve();
  await expect.poll(() => requests).toEqual(["follow", "unfollow"]);
  await expect.poll(() => findUserById(id)?.isFollowing).toBe(false);
  await expect.element(button).toHaveAccessibleName("Follow @tom");
});

// proves: follow-failed
test("a rejected follow is taken back, with the server's sentence", async () => {
  const { button } = await renderButton();
  worker.use(
    http.post("/api/follows", ({ response }) =>
      response(403).json(errorBody("You can't follow this member.")),
    ),
  );
  await button.click();
  await expectToast("Error", "You can't follow this member.");
  await expect.element(button).toHaveAccessibleName("Follow @tom");
});

test("while the follow status is unknown, the button requests it again", async () => {
  worker.use(
    http.get(
      "/api/follows/{userId}/status",
      ({ response }) => response(503).json(errorBody("Kith is busy.")),
      { once: true },
    ),
  );
  const { button } = await renderButton();
  await expect.element(button).toHaveTextContent("Retry");
  await button.click();
  await expect.element(button).toHaveAccessibleName("Follow @tom");
});
