import { describe, expect, it } from "vitest";
import { getActionText, getNotificationHref } from "./group-notifications";

const actor = { id: "1", username: "ada", displayName: "Ada", profileImageUrl: null };

describe("a notification", () => {
  // proves: notifications-texts
  it.each([
    ["follow", "followed you"],
    ["like", "liked your post"],
    ["reply", "replied to your post"],
    ["repost", "reposted your post"],
    ["mention", "mentioned you"],
  ] as const)("of a %s says what was done", (type, text) =>
    expect(getActionText(type, 1)).toBe(text),
  );
  it("links to the post", () => {
    expect(getNotificationHref({ actors: [actor], post: { id: "9", content: "Hi" } }, "me")).toBe(
      "/post/9",
    );
  });
  it("links to the actor's profile without a post", () => {
    expect(getNotificationHref({ actors: [actor], post: null }, "me")).toBe("/profile/ada");
  });
  it("links to the viewer's followers for several follows", () => {
    const actors = [actor, { ...actor, id: "2", username: "bob" }];
    expect(getNotificationHref({ actors, post: null }, "me")).toBe("/profile/me/followers");
  });
});
