import { beforeEach, describe, expect, it, vi } from "vitest";
import { seedFollowStatus } from "./users";
import { queryKeys } from "./query-keys";
import { queryClient } from "./query-client";
import type { User } from "./types";

const bob = { id: "2", isFollowing: false } as User;

beforeEach(() => queryClient.clear());

describe("the follow status in a list of members", () => {
  it("is noted, so that no row has to ask", () => {
    seedFollowStatus([bob, { ...bob, id: "3", isFollowing: true }], Date.now());
    expect(queryClient.getQueryData(queryKeys.followStatus("2"))).toEqual({ isFollowing: false });
    expect(queryClient.getQueryData(queryKeys.followStatus("3"))).toEqual({ isFollowing: true });
  });

  it("replaces a status that was cached before the request", () => {
    vi.useFakeTimers({ now: 1_000 });
    queryClient.setQueryData(queryKeys.followStatus("2"), { isFollowing: true });
    seedFollowStatus([bob], 1_001);
    expect(queryClient.getQueryData(queryKeys.followStatus("2"))).toEqual({ isFollowing: false });
    vi.useRealTimers();
  });

  it("is older than a follow that was made while the list was on its way", () => {
    const askedAt = Date.now();
    queryClient.setQueryData(queryKeys.followStatus("2"), { isFollowing: true });
    seedFollowStatus([bob], askedAt);
    expect(queryClient.getQueryData(queryKeys.followStatus("2"))).toEqual({ isFollowing: true });
  });
});
