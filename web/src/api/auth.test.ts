import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  browser,
  expectLeft,
  receive,
  refusal,
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

function ask(): Promise<unknown> {
  return queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
}

/** The state that `start.js` leaves if the hint named a member. */
function askEarly(member: string | null | undefined): void {
  const answers = new Map([["/api/auth/me", Promise.resolve(new Response())]]);
  vi.stubGlobal("early", { member, answers });
}

describe("the current user", () => {
  beforeEach(() => {
    queryClient.clear();
    server.GET.mockResolvedValue({ data: { id: "7" } });
  });

  // proves: me-neighbours
  it.each([
    ["nobody where nobody was", null, null],
    ["not known where somebody may have been", "7", undefined],
  ])("is %s, once neighbours have asked too often", async (_, hint, answer) => {
    setHintedUserId(hint);
    server.GET.mockReturnValue(refusal(429));
    expect(await ask().catch(() => undefined)).toBe(answer);
  });

  // proves: logout-tabs
  it.each([
    ["out", null],
    ["in as somebody else", "8"],
  ])("is asked anew where another tab logged %s while this one was loading", async (_, hint) => {
    askEarly("7");
    setHintedUserId(hint);
    expect(await ask()).toBeNull();
    expectLeft();
    expect(browser.stored.getItem(SESSION_HINT_KEY), "and the hint stays what it is").toBe(hint);
  });
  // proves: me-unsure
  it.each([
    ["somebody else is", "8"],
    ["nobody is any more", null],
    ["the same member is", "7"],
  ])("is asked anew after a failure where %s", async (_, id) => {
    vi.resetModules();
    const session = await import("./auth");
    const { queryClient: cache } = await import("./query-client");
    const asks = () =>
      cache.fetchQuery({ ...session.currentUserQuery, staleTime: 0, retry: false });
    server.GET.mockReturnValue(refusal(503));
    await expect(asks()).rejects.toThrow("503");
    // Another tab changes the hint, or an earlier session ends.
    setHintedUserId(id);
    server.GET.mockResolvedValue({ data: id === null ? null : { id } });
    await asks().catch(() => undefined);
    expect(replace).toHaveBeenCalledTimes(id === "7" ? 0 : 1);
  });
  it.each([
    ["nothing has changed", "7", "7"],
    ["they logged in meanwhile", null, "7"],
    ["the hint was lost before", null, null],
    ["an earlier version left the hint", "1", "1"],
  ])("is whom the answer names where %s", async (_, before, now) => {
    askEarly(before);
    setHintedUserId(now);
    expect(await ask()).toEqual({ id: "7" });
    expect(replace).not.toHaveBeenCalled();
    expect(browser.stored.getItem(SESSION_HINT_KEY)).toBe("7");
  });
  it("comes from the response if there is no storage", async () => {
    askEarly(undefined);
    vi.stubGlobal("localStorage", undefined);
    expect(await ask()).toEqual({ id: "7" });
    expect(replace).not.toHaveBeenCalled();
  });
  it("comes from a later response", async () => {
    vi.stubGlobal("early", { member: "8", answers: new Map() });
    expect(await ask()).toEqual({ id: "7" });
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
  it("is heard of when the browser shows a page that it kept", () => {
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
