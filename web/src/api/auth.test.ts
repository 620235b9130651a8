import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  browser,
  expectLeft,
  receive,
  rejectWith,
  replace,
  server,
  installFakeSession,
} from "@/test/fake-session";
import { SESSION_HINT_KEY, setHintedUserId } from "@/lib/storage/session-hint";
import { queryKeys } from "./query-keys";
import { queryClient } from "./query-client";
import { currentUserQuery, syncSessionAcrossTabs } from "./auth";

vi.mock("./client", async () => ({ api: (await import("@/test/fake-session")).server }));

installFakeSession();
beforeEach(() => queryClient.setQueryData(queryKeys.currentUser, { id: "7" }));
afterEach(() => queryClient.clear());

function fetchCurrentUser(): Promise<unknown> {
  return queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
}

/** Creates the state of `start.js` after it requested the current user while the hint named a member. */
function preloadCurrentUser(hintedUserId: string | null | undefined): void {
  const responses = new Map([["/api/auth/me", Promise.resolve(new Response())]]);
  vi.stubGlobal("preloadedRequests", { hintedUserId, responses });
}

describe("the current user", () => {
  beforeEach(() => {
    queryClient.clear();
    server.GET.mockResolvedValue({ data: { id: "7" } });
  });

  // proves: me-neighbours
  it.each([
    ["no member without a hint", null, null],
    ["unknown with a hint", "7", undefined],
  ])("is %s, if other clients have used up the rate limit", async (_, hint, expected) => {
    setHintedUserId(hint);
    server.GET.mockReturnValue(rejectWith(429));
    expect(await fetchCurrentUser().catch(() => undefined)).toBe(expected);
  });

  // proves: logout-tabs
  it.each([
    ["out", null],
    ["in as another member", "8"],
  ])(
    "is requested again after another tab logged %s while this one was loading",
    async (_, hint) => {
      preloadCurrentUser("7");
      setHintedUserId(hint);
      expect(await fetchCurrentUser()).toBeNull();
      expectLeft();
      expect(browser.stored.getItem(SESSION_HINT_KEY), "and the hint stays what it is").toBe(hint);
    },
  );
  // proves: me-unsure
  it.each([
    ["another member is logged in", "8"],
    ["no member is logged in", null],
    ["the same member is logged in", "7"],
  ])("is requested again after a failure, when %s", async (_, id) => {
    vi.resetModules();
    const session = await import("./auth");
    const { queryClient: cache } = await import("./query-client");
    const refetch = () =>
      cache.fetchQuery({ ...session.currentUserQuery, staleTime: 0, retry: false });
    server.GET.mockReturnValue(rejectWith(503));
    await expect(refetch()).rejects.toThrow("503");
    // Another tab changes the hint, or an earlier session ends.
    setHintedUserId(id);
    server.GET.mockResolvedValue({ data: id === null ? null : { id } });
    await refetch().catch(() => undefined);
    expect(replace).toHaveBeenCalledTimes(id === "7" ? 0 : 1);
  });
  it.each([
    ["nothing has changed", "7", "7"],
    ["the member logged in meanwhile", null, "7"],
    ["the hint was lost before", null, null],
    ["an earlier version left the hint", "1", "1"],
  ])("is the member of the response if %s", async (_, before, now) => {
    preloadCurrentUser(before);
    setHintedUserId(now);
    expect(await fetchCurrentUser()).toEqual({ id: "7" });
    expect(replace).not.toHaveBeenCalled();
    expect(browser.stored.getItem(SESSION_HINT_KEY)).toBe("7");
  });
  it("comes from the response if there is no storage", async () => {
    preloadCurrentUser(undefined);
    vi.stubGlobal("localStorage", undefined);
    expect(await fetchCurrentUser()).toEqual({ id: "7" });
    expect(replace).not.toHaveBeenCalled();
  });
  it("comes from a later response", async () => {
    vi.stubGlobal("preloadedRequests", { hintedUserId: "8", responses: new Map() });
    expect(await fetchCurrentUser()).toEqual({ id: "7" });
    expect(replace).not.toHaveBeenCalled();
  });
});

describe("another tab", () => {
  // proves: logout-tabs
  it.each([
    ["logs this member out, and this one is left", null, true],
    ["logs another member in, and this one is left", "8", true],
    ["asks who is logged in, and this one stays", "7", undefined],
  ])("%s", (_, id, isHidden) => {
    vi.stubGlobal("addEventListener", () => {});
    syncSessionAcrossTabs();
    receive(id);
    expect(browser.page.hidden).toBe(isHidden);
    expect(replace.mock.calls.length > 0).toBe(isHidden === true);
  });
  // proves: logout-tabs
  it("is detected when the browser restores a page from its back/forward cache", () => {
    let show: ((event: { persisted: boolean }) => void) | undefined;
    vi.stubGlobal("addEventListener", (_: string, listener: typeof show) => (show = listener));
    syncSessionAcrossTabs();
    show?.({ persisted: true });
    expect(replace).not.toHaveBeenCalled();
    browser.stored.removeItem(SESSION_HINT_KEY);
    show?.({ persisted: true });
    expectLeft();
  });
});
