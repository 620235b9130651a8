import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DRAFT_KEY_PREFIX } from "@/lib/storage/draft-storage";
import { hasPendingLogout } from "@/lib/storage/pending-logout";
import { SESSION_HINT_KEY, setHintedUserId } from "@/lib/storage/session-hint";
import { currentToast } from "@/lib/state/toast";
import { ApiError } from "./api-error";
import { queryKeys } from "./query-keys";
import { queryClient } from "./query-client";
import {
  revokeAllSessions,
  syncSessionAcrossTabs,
  logout,
  currentUserQuery,
  verifyCode,
} from "./auth";

const server = vi.hoisted(() => ({ GET: vi.fn(), POST: vi.fn(), DELETE: vi.fn() }));
vi.mock("./client", () => ({ api: server }));

const refusal = (status: number) => Promise.reject(new ApiError(status, "", ""));

/** A storage whose own names are those that were stored, as a browser's are. */
class FakeStorage {
  [name: string]: unknown;
  getItem(name: string) {
    return this[name] ?? null;
  }
  setItem(name: string, value: string) {
    this[name] = value;
  }
  removeItem(name: string) {
    delete this[name];
  }
}

/** The channel of all tabs: what this one sends, and what makes it hear of another. */
const channel = vi.hoisted(() => {
  const posted = vi.fn();
  const listeners: ((event: { data: unknown }) => void)[] = [];
  globalThis.BroadcastChannel = class {
    postMessage = posted;
    addEventListener = (_: string, listener: (typeof listeners)[number]) =>
      listeners.push(listener);
  } as unknown as typeof BroadcastChannel;
  return { posted, tell: (data: unknown) => listeners.forEach((listener) => listener({ data })) };
});

const replace = vi.fn();
let stored: FakeStorage;
let page: { hidden?: boolean };

beforeEach(() => {
  stored = new FakeStorage();
  page = {};
  vi.stubGlobal("document", { documentElement: page });
  vi.stubGlobal("location", { replace });
  vi.stubGlobal("localStorage", stored);
  vi.stubGlobal("sessionStorage", new FakeStorage());
  setHintedUserId("7");
  stored.setItem(`${DRAFT_KEY_PREFIX}7:post`, "not meant for others");
  stored.setItem("vite-ui-theme", "dark");
  queryClient.setQueryData(queryKeys.currentUser, { id: "7" });
});

afterEach(() => {
  setHintedUserId(null);
  queryClient.clear();
  vi.resetAllMocks();
  vi.unstubAllGlobals();
});

/** Expects that of the member nothing is left on the device, that other tabs are told, and the rest stays. */
function expectForgotten(): void {
  expect(Object.keys(stored).filter((name) => name.startsWith(DRAFT_KEY_PREFIX))).toEqual([]);
  expect(stored.getItem(SESSION_HINT_KEY)).toBeNull();
  expect(stored.getItem("vite-ui-theme")).toBe("dark");
  expect(channel.posted).toHaveBeenLastCalledWith(null);
}

/** Expects that this document is left, and shows nothing until it is gone. */
function expectLeft(): void {
  expect(replace).toHaveBeenCalledExactlyOnceWith("/");
  expect(page.hidden).toBe(true);
}

/** As `start.js` leaves it, having asked while the hint named somebody. */
function askEarly(member: string | null | undefined): void {
  const answers = new Map([["/api/auth/me", Promise.resolve(new Response())]]);
  vi.stubGlobal("early", { member, answers });
}

function ask(): Promise<unknown> {
  return queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
}

describe("who is logged in", () => {
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
    expect(stored.getItem(SESSION_HINT_KEY), "and the hint stays what it is").toBe(hint);
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
    // Another tab writes down who it is, or an earlier session ends.
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
    expect(stored.getItem(SESSION_HINT_KEY)).toBe("7");
  });
  it("is whom the answer names where no storage can tell", async () => {
    askEarly(undefined);
    vi.stubGlobal("localStorage", undefined);
    expect(await ask()).toEqual({ id: "7" });
    expect(replace).not.toHaveBeenCalled();
  });
  it("is whom a later answer names", async () => {
    vi.stubGlobal("early", { member: "8", answers: new Map() });
    expect(await ask()).toEqual({ id: "7" });
    expect(replace).not.toHaveBeenCalled();
  });
});

/** Has the server stay silent until the call is given up; answers what gives it up. */
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

describe("another tab", () => {
  // proves: logout-tabs
  it.each([
    ["logs this member out, and this one is left", null, true],
    ["logs another member in, and this one is left", "8", true],
    ["asks who is logged in, and this one stays", "7", undefined],
  ])("%s", (_, id, isHidden) => {
    vi.stubGlobal("addEventListener", () => {});
    syncSessionAcrossTabs();
    channel.tell(id);
    expect(page.hidden).toBe(isHidden);
    expect(replace.mock.calls.length > 0).toBe(isHidden === true);
  });
  // proves: logout-tabs
  it("is heard of when the browser shows a page that it kept", () => {
    let show: ((event: { persisted: boolean }) => void) | undefined;
    vi.stubGlobal("addEventListener", (_: string, listener: typeof show) => (show = listener));
    syncSessionAcrossTabs();
    show?.({ persisted: true });
    expect(replace).not.toHaveBeenCalled();
    stored.removeItem(SESSION_HINT_KEY);
    show?.({ persisted: true });
    expectLeft();
  });
});

describe("logging out", () => {
  // proves: logout-offline, logout-drafts
  it("deletes everything here and leaves the page, which ends the session", async () => {
    await logout();
    expectForgotten();
    expectLeft();
    expect(hasPendingLogout()).toBe(true);
    expect(server.POST).not.toHaveBeenCalled();
    server.POST.mockResolvedValue({});
    server.GET.mockImplementation(() => refusal(401));
    expect(await ask()).toBeNull();
    expect(server.POST).toHaveBeenCalledBefore(server.GET);
    expect(hasPendingLogout()).toBe(false);
  });
  // proves: logout-silent
  it("does not ask who is logged in while the server is silent, and waits 5 seconds at most", async () => {
    const patience = beSilent();
    await logout();
    const asked = ask();
    await new Promise((resolve) => setTimeout(resolve));
    patience.abort();
    expect(await asked).toBeNull();
    expect(server.GET).not.toHaveBeenCalled();
    expect(currentToast.get()?.title).toBe("Failed to logout");
    expect(hasPendingLogout()).toBe(true);
  });
  // proves: logout-full
  it("is noted where the storage had no room before the drafts went", async () => {
    const store = stored.setItem.bind(stored);
    vi.spyOn(stored, "setItem").mockImplementation((name, value) => {
      if (stored.getItem(`${DRAFT_KEY_PREFIX}7:post`) !== null) throw new Error("full");
      store(name, value);
    });
    await logout();
    expect(hasPendingLogout()).toBe(true);
  });
  it.each([
    ["has no such session", 401, false],
    ["fails", 503, true],
  ])("where the server %s", async (_, status, isOwed) => {
    server.POST.mockImplementation(() => refusal(status));
    server.GET.mockImplementation(() => refusal(401));
    await logout();
    expect(await ask()).toBeNull();
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
    expectForgotten();
  });
  // proves: settings-end-all-lost
  it("takes everything along where it came true without an answer", async () => {
    server.DELETE.mockRejectedValueOnce(new TypeError("offline"));
    await expect(revokeAllSessions()).rejects.toThrow("offline");
    expect(stored.getItem(`${DRAFT_KEY_PREFIX}7:post`)).toBe("not meant for others");
    server.DELETE.mockReturnValue(refusal(401));
    await expect(revokeAllSessions()).rejects.toThrow("401");
    expectForgotten();
  });
  it("takes nothing along where it failed", async () => {
    server.DELETE.mockReturnValue(refusal(503));
    await expect(revokeAllSessions()).rejects.toThrow("503");
    expect(stored.getItem(`${DRAFT_KEY_PREFIX}7:post`)).toBe("not meant for others");
    expect(stored.getItem(SESSION_HINT_KEY)).toBe("7");
  });
});
