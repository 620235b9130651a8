import { describe, expect, it } from "vitest";
import type { Notification } from "@/api/types";
import { groupNotifications } from "./group-notifications";

const tea = { id: "70", content: "Tea" };
const milk = { id: "80", content: "Milk" };

/** A row by `who`; larger ids are newer. */
function row(id: string, type: Notification["type"], who: string, more: object = {}): Notification {
  const actor = { id: who, username: who, displayName: who, profileImageUrl: null };
  return { id, type, isRead: true, createdAt: `at ${id}`, actor, post: null, ...more };
}

const shapeOf = (rows: Notification[]) =>
  groupNotifications(rows).map(({ id, type, actors }) => [
    id,
    type,
    actors.map((actor) => actor.username).join(" "),
  ]);

describe("notifications that say the same", () => {
  // proves: notifications-grouped
  it("are grouped by post and action, at the position of the newest", () => {
    const rows = [
      row("9", "like", "ada", { post: tea }),
      row("8", "reply", "bob", { post: milk }),
      row("7", "like", "bob", { post: tea }),
      row("6", "repost", "ada", { post: tea }),
      row("5", "like", "ada", { post: milk }),
      row("4", "like", "eve", { post: tea }),
    ];
    expect(shapeOf(rows)).toEqual([
      ["9", "like", "ada bob eve"],
      ["8", "reply", "bob"],
      ["6", "repost", "ada"],
      ["5", "like", "ada"],
    ]);
    expect(groupNotifications(rows)[0]).toMatchObject({ createdAt: "at 9", post: tea });
  });

  // proves: notifications-grouped
  it("are follows, but neither replies nor mentions", () => {
    const rows = [
      row("9", "follow", "ada"),
      row("8", "reply", "ada", { post: tea }),
      row("7", "reply", "bob", { post: tea }),
      row("6", "mention", "ada", { post: tea }),
      row("5", "mention", "bob", { post: tea }),
      row("4", "follow", "bob"),
    ];
    expect(shapeOf(rows).map(([, type, names]) => `${type} ${names}`)).toEqual([
      "follow ada bob",
      "reply ada",
      "reply bob",
      "mention ada",
      "mention bob",
    ]);
  });

  it("stay separate if the post is deleted", () => {
    expect(shapeOf([row("9", "like", "ada"), row("8", "like", "bob")])).toHaveLength(2);
  });

  it("are unread while any of them is", () => {
    const rows = [
      row("9", "follow", "ada"),
      row("8", "follow", "bob", { isRead: false }),
      row("7", "follow", "eve", { isRead: false }),
    ];
    expect(groupNotifications(rows)[0]?.unreadIds).toEqual(["8", "7"]);
  });

  it("count a row that two pages hold once", () => {
    const twice = row("9", "like", "ada", { post: tea, isRead: false });
    const [group, ...others] = groupNotifications([twice, twice]);
    expect(others).toEqual([]);
    expect(group).toMatchObject({ actors: [{ id: "ada" }], unreadIds: ["9"] });
  });
});
