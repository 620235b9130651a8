import { beforeEach, describe, expect, it } from "vitest";
import { keys } from "./keys";
import type { Pages } from "./lists";
import { patchRead } from "./notifications";
import { queryClient } from "./query-client";
import type { Me, Notification } from "./types";

const unread = () => queryClient.getQueryData<Me>(keys.me)?.unreadNotificationCount;
const rows = () =>
  queryClient
    .getQueryData<Pages<Notification>>(keys.notifications)
    ?.pages.flatMap((page) => page.rows.map((row) => row.isRead));

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keys.me, { unreadNotificationCount: 2 });
  queryClient.setQueryData(keys.notifications, {
    pages: [
      {
        rows: [
          { id: "3", isRead: false },
          { id: "2", isRead: true },
        ],
      },
      { rows: [{ id: "1", isRead: false }] },
    ],
  });
});

describe("reading notifications", () => {
  it("counts each once, however often it is read", () => {
    patchRead(["3"], true);
    patchRead(["3"], true);
    patchRead(["2"], true);
    expect(rows()).toEqual([true, true, false]);
    expect(unread()).toBe(1);
  });
  it("counts several together", () => {
    patchRead(["3", "2", "1"], true);
    expect(rows()).toEqual([true, true, true]);
    expect(unread()).toBe(0);
  });
  it("can be taken back", () => {
    patchRead(["3"], true);
    patchRead(["3"], false);
    expect(rows()).toEqual([false, true, false]);
    expect(unread()).toBe(2);
  });
  it("leaves what it does not know alone", () => {
    patchRead(["9"], true);
    expect(unread()).toBe(2);
  });
  it("works for all at once", () => {
    patchRead("all", true);
    expect(rows()).toEqual([true, true, true]);
    expect(unread()).toBe(0);
  });
});
