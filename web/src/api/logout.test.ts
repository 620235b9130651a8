import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  browser,
  draftKey,
  expectDeleted,
  expectLeft,
  rejectWith,
  replace,
  server,
  installFakeSession,
} from "@/test/fake-session";
import { hasPendingLogout } from "@/lib/storage/pending-logout";
import { SESSION_HINT_KEY } from "@/lib/storage/session-hint";
import { currentToast } from "@/lib/state/toast";
import { queryKeys } from "./query-keys";
import { queryClient } from "./query-client";
import { currentUserQuery, logout, revokeAllSessions, verifyCode } from "./auth";

vi.mock("./client", async () => ({ api: (await import("@/test/fake-session")).server }));

installFakeSession();
beforeEach(() => queryClient.setQueryData(queryKeys.currentUser, { id: "7" }));
afterEach(() => queryClient.clear());

function fetchCurrentUser(): Promise<unknown> {
  return queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
}

/** Makes the server never respond; returns the function that aborts the request. */
function beSilent(): AbortController {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  server.POST.mockImplementation((_, { signal }: { signal: AbortSignal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  return patience;
}

describe("logging out", () => {
  // proves: logout-offline, logout-drafts
  it("deletes everything here and leaves the page, which ends the session", async () => {
    await logout();
    expectDeleted();
    expectLeft();
    expect(hasPendingLogout()).toBe(true);
    expect(server.POST).not.toHaveBeenCalled();
    server.POST.mockResolvedValue({});
    server.GET.mockImplementation(() => rejectWith(401));
    expect(await fetchCurrentUser()).toBeNull();
    expect(server.POST).toHaveBeenCalledBefore(server.GET);
    expect(hasPendingLogout()).toBe(false);
  });
  // proves: logout-silent
  it("does not request the current user before the response, and waits 5 seconds at most", async () => {
    const patience = beSilent();
    await logout();
    const fetched = fetchCurrentUser();
    await new Promise((resolve) => setTimeout(resolve));
    patience.abort();
    expect(await fetched).toBeNull();
    expect(server.GET).not.toHaveBeenCalled();
    expect(currentToast.get()?.title).toBe("Failed to logout");
    expect(hasPendingLogout()).toBe(true);
  });
  // proves: logout-full
  it("is noted where the storage had no room before the drafts went", async () => {
    const store = browser.stored.setItem.bind(browser.stored);
    vi.spyOn(browser.stored, "setItem").mockImplementation((name, value) => {
      if (browser.stored.getItem(draftKey) !== null) throw new Error("full");
      store(name, value);
    });
    await logout();
    expect(hasPendingLogout()).toBe(true);
  });
  it.each([
    ["has no such session", 401, false],
    ["fails", 503, true],
  ])("where the server %s", async (_, status, isOwed) => {
    server.POST.mockImplementation(() => rejectWith(status));
    server.GET.mockImplementation(() => rejectWith(401));
    await logout();
    expect(await fetchCurrentUser()).toBeNull();
    expect(hasPendingLogout()).toBe(isOwed);
  });
  it("comes before the next login, for its answer empties the cookie", async () => {
    await logout();
    const patience = beSilent();
    const login = verifyCode("ABCDEFGH");
    expect(server.POST).toHaveBeenCalledTimes(1);
    server.POST.mockResolvedValue({});
    patience.abort();
    await login;
    const paths = server.POST.mock.calls.map(([path]) => path as string);
    expect(paths).toEqual(["/api/auth/logout", "/api/auth/verify-code"]);
    expect(hasPendingLogout(), "and a login ends the session before").toBe(false);
  });
  // proves: logout-failed
  it("ends the session before the page is left where no storage can note it", async () => {
    vi.stubGlobal("localStorage", undefined);
    server.POST.mockRejectedValueOnce(new TypeError("offline"));
    await expect(logout()).rejects.toThrow();
    expect(replace).not.toHaveBeenCalled();
    server.POST.mockResolvedValue({});
    await logout();
    expectLeft();
  });
});

describe("logging out everywhere", () => {
  // proves: settings-end-all-drafts
  it("takes everything here along, drafts too", async () => {
    server.DELETE.mockResolvedValue({ response: new Response() });
    await revokeAllSessions();
    expectDeleted();
  });
  // proves: settings-end-all-lost
  it("takes everything along where it came true without an answer", async () => {
    server.DELETE.mockRejectedValueOnce(new TypeError("offline"));
    await expect(revokeAllSessions()).rejects.toThrow("offline");
    expect(browser.stored.getItem(draftKey)).toBe("not meant for others");
    server.DELETE.mockReturnValue(rejectWith(401));
    await expect(revokeAllSessions()).rejects.toThrow("401");
    expectDeleted();
  });
  it("takes nothing along where it failed", async () => {
    server.DELETE.mockReturnValue(rejectWith(503));
    await expect(revokeAllSessions()).rejects.toThrow("503");
    expect(browser.stored.getItem(draftKey)).toBe("not meant for others");
    expect(browser.stored.getItem(SESSION_HINT_KEY)).toBe("7");
  });
});
