import { beforeEach, describe, expect, it } from "vitest";
import { queryKeys } from "./query-keys";
import type { InfinitePages } from "./paginated-query";
import { setReadInCache } from "./notifications";
import { queryClient } from "./query-client";
import type { Me, Notification } from "./types";

const unread = () => queryClient.getQueryData<Me>(queryKeys.currentUser)?.unreadNotificationCount;
const rows = () =>
  queryClient
    .getQueryData<InfinitePages<Notification>>(queryKeys.notifications)
    ?.pages.flatMap((page) => page.rows.map((row) => row.isRead));

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(queryKeys.currentUser, { unreadNotificationCount: 2 });
  queryClient.setQueryData(queryKeys.notifications, {
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
    setReadInCache(["3"], true);
    setReadInCache(["3"], true);
    setReadInCache(["2"], true);
    expect(rows()).toEqual([true, true, false]);
    expect(unread()).toBe(1);
  });
  it("counts several together", () => {
    setReadInCache(["3", "2", "1"], true);
    expect(rows()).toEqual([true, true, true]);
    expect(unread()).toBe(0);
  });
  it("can be taken back", () => {
    setReadInCache(["3"], true);
    setReadInCache(["3"], false);
    expect(rows()).toEqual([false, true, false]);
    expect(unread()).toBe(2);
  });
  it("ignores unknown ids", () => {
    setReadInCache(["9"], true);
    expect(unread()).toBe(2);
  });
  it("works for all notifications", () => {
    setReadInCache("all", true);
    expect(rows()).toEqual([true, true, true]);
    expect(unread()).toBe(0);
  });
});
