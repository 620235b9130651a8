import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getHintedUserId, onHintedUserIdChange, setHintedUserId } from "./session-hint";

describe("the session hint", () => {
  const posted = vi.fn();
  let receive: ((event: { data: unknown }) => void) | undefined;
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    posted.mockReset();
    vi.stubGlobal("localStorage", {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name),
    });
    vi.stubGlobal(
      "BroadcastChannel",
      class {
        postMessage = (data: unknown) => posted(data) as unknown;
        addEventListener = (_: string, listener: typeof receive) => (receive = listener);
      },
    );
  });
  afterEach(() => vi.unstubAllGlobals());

  // proves: logout-tabs
  it("is stored, and sent to other tabs", () => {
    expect(getHintedUserId()).toBeNull();
    setHintedUserId("7");
    expect(getHintedUserId()).toBe("7");
    expect(posted).toHaveBeenLastCalledWith("7");
    setHintedUserId(null);
    expect(getHintedUserId()).toBeNull();
    expect(posted).toHaveBeenLastCalledWith(null);
  });
  it("is received from other tabs", () => {
    const listener = vi.fn();
    onHintedUserIdChange(listener);
    receive?.({ data: "8" });
    expect(listener).toHaveBeenCalledExactlyOnceWith("8");
  });
  it("is sent without a storage, too", () => {
    vi.stubGlobal("localStorage", undefined);
    setHintedUserId("7");
    expect(getHintedUserId()).toBeUndefined();
    expect(posted).toHaveBeenLastCalledWith("7");
  });
});
