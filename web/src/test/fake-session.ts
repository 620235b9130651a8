import { afterEach, beforeEach, expect, vi } from "vitest";
import { DRAFT_KEY_PREFIX, getDraftKey } from "@/lib/storage/draft-storage";
import { SESSION_HINT_KEY, setHintedUserId } from "@/lib/storage/session-hint";
import { ApiError } from "@/api/api-error";

/** The API client, for `vi.mock("./client")`. */
export const server = { GET: vi.fn(), POST: vi.fn(), DELETE: vi.fn() };

export const rejectWith = (status: number) => Promise.reject(new ApiError(status, "", ""));

export const draftKey = getDraftKey("7");

/** A Storage whose own property names are its keys, as in browsers. */
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

const posted = vi.fn();
const listeners: ((event: { data: unknown }) => void)[] = [];
globalThis.BroadcastChannel = class {
  postMessage = posted;
  addEventListener = (_: string, listener: (typeof listeners)[number]) => listeners.push(listener);
} as unknown as typeof BroadcastChannel;

/** Delivers a message of another tab. */
export function receive(data: unknown): void {
  for (const listener of listeners) listener({ data });
}

export const replace = vi.fn();

/** The state of the stubbed browser. */
export const browser = { stored: new FakeStorage(), page: {} as { hidden?: boolean } };

/** Stubs a browser in which member 7 is logged in and has a draft, for each test of a file. */
export function installFakeSession(): void {
  beforeEach(() => {
    browser.stored = new FakeStorage();
    browser.page = {};
    vi.stubGlobal("document", { documentElement: browser.page, querySelector: () => null });
    vi.stubGlobal("location", { replace });
    vi.stubGlobal("localStorage", browser.stored);
    vi.stubGlobal("sessionStorage", new FakeStorage());
    setHintedUserId("7");
    browser.stored.setItem(draftKey, "not meant for others");
    browser.stored.setItem("vite-ui-theme", "dark");
  });
  afterEach(() => {
    setHintedUserId(null);
    vi.resetAllMocks();
    vi.unstubAllGlobals();
  });
}

/** Expects that the member's data is deleted from the device, other tabs are notified, and the rest stays. */
export function expectDeleted(): void {
  const { stored } = browser;
  expect(Object.keys(stored).filter((name) => name.startsWith(DRAFT_KEY_PREFIX))).toEqual([]);
  expect(stored.getItem(SESSION_HINT_KEY)).toBeNull();
  expect(stored.getItem("vite-ui-theme")).toBe("dark");
  expect(posted).toHaveBeenLastCalledWith(null);
}

/** Expects a navigation away from this document, which is hidden until then. */
export function expectLeft(): void {
  expect(replace).toHaveBeenCalledExactlyOnceWith("/");
  expect(browser.page.hidden).toBe(true);
}
