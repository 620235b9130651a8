import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  clearSavedScroll,
  persistSavedScroll,
  loadedPages,
  savedPositions,
  loadSavedScroll,
} from "./saved-scroll";

const stored = new Map<string, string>();

beforeEach(() => {
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

afterEach(() => {
  clearSavedScroll();
  stored.clear();
  vi.unstubAllGlobals();
});

/** Resets the page's state, as a reload does. */
function reload() {
  savedPositions.clear();
  loadedPages.clear();
}

describe("scroll positions after a reload", () => {
  // proves: reload-place
  it("are those of before", () => {
    savedPositions.set("visit", { top: 900, row: { id: "7", top: 300 } });
    loadedPages.set("list", 3);
    persistSavedScroll("1");
    reload();
    loadSavedScroll("1");
    expect(savedPositions.get("visit")).toEqual({ top: 900, row: { id: "7", top: 300 } });
    expect(loadedPages.get("list")).toBe(3);
  });
  // proves: reload-place-private
  it.each([
    ["another member", "2"],
    ["a visitor", null],
    ["an unknown reader", undefined],
  ])("are not for %s", (_, member) => {
    savedPositions.set("visit", { top: 900 });
    persistSavedScroll("1");
    reload();
    loadSavedScroll(member);
    expect(savedPositions.size).toBe(0);
    expect(stored.size).toBe(0);
  });
  it("are none where the storage is damaged", () => {
    for (const damaged of ["{", "null", "7", '{"member":"1"}', '{"member":"1","places":[7]}']) {
      stored.set("kith:places", damaged);
      loadSavedScroll("1");
      expect(savedPositions.size).toBe(0);
    }
  });
});
