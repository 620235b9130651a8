import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  hintedMember,
  isMemberGone,
  isReplaced,
  MEMBER,
  rememberMember,
  wasMember,
} from "./member-hint";

describe("isReplaced", () => {
  // proves: logout-tabs
  it.each([
    ["the member", "7", false],
    ["another member", "8", true],
    ["nobody", null, true],
    ["somebody, as earlier versions did", "1", false],
    ["nothing, without a storage", undefined, false],
  ])("when the hint names %s", (_, hint, replaced) => {
    expect(isReplaced("7", hint)).toBe(replaced);
  });
});

describe("the hint", () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("localStorage", {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name),
    });
  });
  afterEach(() => {
    rememberMember(null);
    vi.unstubAllGlobals();
  });

  it("names who is logged in", () => {
    expect(wasMember()).toBe(false);
    rememberMember("7");
    expect([wasMember(), hintedMember()]).toEqual([true, "7"]);
    rememberMember(null);
    expect([wasMember(), hintedMember()]).toEqual([false, null]);
  });
  it("tells of a logout and of another member elsewhere", () => {
    rememberMember("7");
    expect(isMemberGone()).toBe(false);
    kept.delete(MEMBER);
    expect(isMemberGone()).toBe(true);
    kept.set(MEMBER, "8");
    expect(isMemberGone()).toBe(true);
    expect(kept.get(MEMBER), "and leaves them logged in").toBe("8");
  });
  it("misses nobody where nobody is logged in", () => {
    kept.set(MEMBER, "8");
    expect(isMemberGone()).toBe(false);
    rememberMember("7");
    rememberMember(null);
    expect(isMemberGone()).toBe(false);
  });
  it("misses nobody where the storage is full", () => {
    vi.stubGlobal("localStorage", {
      getItem: () => null,
      setItem() {
        throw new DOMException("full", "QuotaExceededError");
      },
    });
    rememberMember("7");
    expect(isMemberGone()).toBe(false);
  });
  it("does without a storage", () => {
    rememberMember("7");
    vi.stubGlobal("localStorage", undefined);
    expect([wasMember(), hintedMember(), isMemberGone()]).toEqual([false, undefined, false]);
    expect(() => rememberMember("7")).not.toThrow();
    expect(isMemberGone()).toBe(false);
  });
});
