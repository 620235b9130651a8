import { describe, expect, it } from "vitest";
import { queryClient } from "./query-client";

describe("the cache of the server's answers", () => {
  const { queries, mutations } = queryClient.getDefaultOptions();
  // proves: web-no-retry
  it("repeats nothing that failed", () => {
    expect(queries?.retry).toBe(false);
    expect(mutations?.retry).toBe(false);
  });
  it("does not wait for a network that is not there", () => {
    expect(queries?.networkMode).toBe("always");
    expect(mutations?.networkMode).toBe("always");
  });
  // proves: web-no-focus, web-no-poll
  it("asks neither on focus nor by the clock", () => {
    expect(queries?.refetchOnWindowFocus).toBe(false);
    expect(queries?.refetchOnReconnect).toBe(false);
    expect(queries?.refetchInterval).toBeUndefined();
  });
  // proves: web-never-stale
  it("keeps answers good until somebody says otherwise", () => {
    expect(queries?.staleTime).toBe(Number.POSITIVE_INFINITY);
  });
});
