import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DRAFT, draftsForgotten } from "@/lib/drafts";
import { MEMBER, rememberMember } from "@/lib/member-hint";
import { endAllDevices } from "./devices";
import { ApiError } from "./error";
import { keys } from "./keys";
import { queryClient } from "./query-client";

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

describe("logging out everywhere", () => {
  // proves: settings-end-all-drafts
  it("takes everything here along, drafts too", async () => {
    server.DELETE.mockResolvedValue({ response: new Response() });
    const before = draftsForgotten.get();
    await endAllDevices();
    expectForgotten();
    expect(draftsForgotten.get(), "and those that are open").toBe(before + 1);
  });
  it("takes nothing along where it failed", async () => {
    server.DELETE.mockReturnValue(refusal(503));
    await expect(endAllDevices()).rejects.toThrow("503");
    expect(stored.getItem(`${DRAFT}7:post`)).toBe("not meant for others");
    expect(queryClient.getQueryData(keys.me)).toEqual({ id: "7" });
  });
});
