import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DRAFT, draftsForgotten } from "@/lib/drafts";
import { isLogoutOwed } from "@/lib/logout-hint";
import { MEMBER, rememberMember } from "@/lib/member-hint";
import { endAllDevices } from "./devices";
import { ApiError } from "./error";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import { logout, meQuery, verifyCode } from "./session";

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

let stored: FakeStorage;

beforeEach(() => {
  stored = new FakeStorage();
  vi.stubGlobal("localStorage", stored);
  rememberMember("7");
  stored.setItem(`${DRAFT}7:post`, "not meant for others");
  stored.setItem("vite-ui-theme", "dark");
  queryClient.setQueryData(keys.me, { id: "7" });
  queryClient.setQueryData(keys.devices, []);
});

afterEach(() => {
  rememberMember(null);
  queryClient.clear();
  vi.resetAllMocks();
  vi.unstubAllGlobals();
});

/** Expects that of the member nothing is left here, and the rest is. */
function expectForgotten(): void {
  expect(Object.keys(stored).filter((name) => name.startsWith(DRAFT))).toEqual([]);
  expect(stored.getItem(MEMBER)).toBeNull();
  expect(stored.getItem("vite-ui-theme")).toBe("dark");
  expect(queryClient.getQueryData(keys.me)).toBeNull();
  expect(queryClient.getQueryData(keys.devices)).toBeUndefined();
}

/** As `start.js` leaves it, having asked while the hint named somebody. */
function askEarly(member: string | null | undefined): void {
  const answers = new Map([["/api/auth/me", Promise.resolve(new Response())]]);
  vi.stubGlobal("early", { member, answers });
}

function ask(): Promise<unknown> {
  return queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
}

describe("who is logged in", () => {
  const replace = vi.fn();
  beforeEach(() => {
    queryClient.clear();
    vi.stubGlobal("location", { replace });
    server.GET.mockResolvedValue({ data: { id: "7" } });
  });

  // proves: me-neighbours
  it.each([
    ["nobody where nobody was", null, null],
    ["not known where somebody may have been", "7", undefined],
  ])("is %s, once neighbours have asked too often", async (_, hint, answer) => {
    rememberMember(hint);
    server.GET.mockReturnValue(refusal(429));
    expect(await ask().catch(() => undefined)).toBe(answer);
  });

  // proves: logout-tabs
  it.each([
    ["out", null],
    ["in as somebody else", "8"],
  ])("is asked anew where another tab logged %s while this one was loading", async (_, hint) => {
    askEarly("7");
    rememberMember(hint);
    // The question ends with everything else of this tab.
    await ask().catch(() => undefined);
    expect(queryClient.getQueryData(keys.me)).not.toEqual({ id: "7" });
    expect(replace).toHaveBeenCalledExactlyOnceWith("/");
    expect(stored.getItem(MEMBER), "and the hint stays what it is").toBe(hint);
  });
  // proves: me-unsure
  it.each([
    ["somebody else is", "8"],
    ["nobody is any more", null],
    ["the same member is", "7"],
  ])("is asked anew after a failure where %s", async (_, id) => {
    vi.resetModules();
    const page = await import("./session");
    const { queryClient: cache } = await import("./query-client");
    const asks = () => cache.fetchQuery({ ...page.meQuery, staleTime: 0, retry: false });
    server.GET.mockReturnValue(refusal(503));
    await expect(asks()).rejects.toThrow("503");
    // Another tab writes down who it is, or an earlier session ends.
    rememberMember(id);
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
    rememberMember(now);
    expect(await ask()).toEqual({ id: "7" });
    expect(replace).not.toHaveBeenCalled();
    expect(stored.getItem(MEMBER)).toBe("7");
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

describe("logging out", () => {
  // proves: logout-silent, logout-offline, logout-drafts
  it("forgets everything here before the server has answered", async () => {
    const patience = beSilent();
    const { isEnded } = await logout();
    expectForgotten();
    expect(isLogoutOwed()).toBe(true);
    const call = expect.objectContaining({ keepalive: true });
    expect(server.POST).toHaveBeenCalledExactlyOnceWith("/api/auth/logout", call);
    patience.abort();
    expect(await isEnded).toBe(false);
    expect(isLogoutOwed()).toBe(true);
  });
  // proves: logout-full
  it("is owed where the storage had no room before the drafts went", async () => {
    const store = stored.setItem.bind(stored);
    vi.spyOn(stored, "setItem").mockImplementation((name, value) => {
      if (stored.getItem(`${DRAFT}7:post`) !== null) throw new Error("full");
      store(name, value);
    });
    server.POST.mockRejectedValue(new TypeError("offline"));
    const { isEnded } = await logout();
    expect(await isEnded).toBe(false);
    expect(isLogoutOwed()).toBe(true);
  });
  it("is owed from before the server is asked, to after it has answered", async () => {
    let owed: boolean | undefined;
    server.POST.mockImplementation(() => {
      owed = isLogoutOwed();
      return Promise.resolve({});
    });
    const { isEnded } = await logout();
    expect(await isEnded).toBe(true);
    expect([owed, isLogoutOwed()]).toEqual([true, false]);
  });
  it.each([
    ["has no such session", 401, true],
    ["fails", 503, false],
  ])("where the server %s", async (_, status, ended) => {
    server.POST.mockReturnValue(refusal(status));
    const { isEnded } = await logout();
    expectForgotten();
    expect(await isEnded).toBe(ended);
    expect(isLogoutOwed()).toBe(!ended);
  });
  it("comes before the next login, for its answer empties the cookie", async () => {
    const patience = beSilent();
    await logout();
    const login = verifyCode("ABCDEFGH");
    expect(server.POST).toHaveBeenCalledTimes(1);
    server.POST.mockResolvedValue({});
    patience.abort();
    await login;
    const addresses = server.POST.mock.calls.map(([address]) => address as string);
    expect(addresses).toEqual(["/api/auth/logout", "/api/auth/verify-code"]);
    expect(isLogoutOwed(), "and a login ends the session before").toBe(false);
  });
  it("does without a storage", async () => {
    vi.stubGlobal("localStorage", undefined);
    server.POST.mockResolvedValue({});
    const { isEnded } = await logout();
    expect(await isEnded).toBe(true);
    expect(server.POST).toHaveBeenCalledTimes(1);
    expect(queryClient.getQueryData(keys.me)).toBeNull();
  });
});

describe("logging out everywhere", () => {
  // proves: settings-end-all-drafts
  it("takes everything here along, drafts too", async () => {
    server.DELETE.mockResolvedValue({ response: new Response() });
    const before = draftsForgotten.get();
    await endAllDevices();
    expectForgotten();
    expect(draftsForgotten.get(), "and those that are open").toBe(before + 1);
  });
  // proves: settings-end-all-lost
  it("takes everything along where it came true without an answer", async () => {
    server.DELETE.mockRejectedValueOnce(new TypeError("offline"));
    await expect(endAllDevices()).rejects.toThrow("offline");
    expect(stored.getItem(`${DRAFT}7:post`)).toBe("not meant for others");
    server.DELETE.mockReturnValue(refusal(401));
    await expect(endAllDevices()).rejects.toThrow("401");
    expectForgotten();
  });
  it("takes nothing along where it failed", async () => {
    server.DELETE.mockReturnValue(refusal(503));
    await expect(endAllDevices()).rejects.toThrow("503");
    expect(stored.getItem(`${DRAFT}7:post`)).toBe("not meant for others");
    expect(queryClient.getQueryData(keys.me)).toEqual({ id: "7" });
  });
});
