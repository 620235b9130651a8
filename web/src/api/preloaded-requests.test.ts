import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchOrUsePreloaded, discardPreloaded, getUserHintAtRequest } from "./preloaded-requests";

const ME = "/api/auth/me";
const FEED = "/api/posts/feed?limit=20&offset=0";
const script = readFileSync(
  fileURLToPath(new URL("../../public/start.js", import.meta.url)),
  "utf8",
);

/** Runs `start.js` on a page with this storage, and provides its results to the app. */
function start(stored: Record<string, string> | undefined, pathname = "/"): string[] {
  const requested: string[] = [];
  const element = { classList: { toggle: vi.fn() }, dataset: {} };
  const page: Record<string, unknown> = {
    performance: { now: () => 0, getEntriesByType: () => [] },
    location: { pathname, search: "" },
    matchMedia: () => ({ matches: false }),
    navigator: { languages: ["en"] },
    document: {
      querySelector: () => null,
      documentElement: element,
      currentScript: { dataset: { member: "", visitor: "" } },
    },
    localStorage: stored && { getItem: (name: string) => stored[name] ?? null },
    fetch(url: string) {
      requested.push(url);
      return Promise.resolve(new Response(url));
    },
  };
  runInNewContext(script, page);
  vi.stubGlobal("preloadedRequests", page["preloadedRequests"]);
  vi.stubGlobal("localStorage", { getItem: () => "9" });
  return requested;
}

afterEach(() => vi.unstubAllGlobals());

describe("preloaded responses", () => {
  it("are used by the first request", async () => {
    expect(start({ "kith:member": "7" })).toEqual([ME, FEED]);
    const later = vi.fn(() => Promise.resolve(new Response("later")));
    vi.stubGlobal("fetch", later);
    const feed = () => fetchOrUsePreloaded(new Request(`https://kith.example${FEED}`));
    expect(await (await feed()).text()).toBe(FEED);
    expect(await (await feed()).text()).toBe("later");
    expect(later).toHaveBeenCalledTimes(1);
  });
  it("are fewer for a visitor, and none while a logout is pending", () => {
    expect(start({})).toEqual([ME]);
    expect(start(undefined)).toEqual([ME]);
    expect(start({ "kith:member": "7", "kith:logout": "1" })).toEqual([]);
    expect(start({ "kith:member": "7" }, "/terms")).toEqual([]);
  });
  // proves: logout-tabs
  it.each([
    ["a member", { "kith:member": "7" }, "7"],
    ["no member", {}, null],
    ["nothing, without a storage", undefined, undefined],
  ])("belong to the hint at the time of the request, which named %s", (_, stored, hint) => {
    start(stored);
    expect(getUserHintAtRequest(ME)).toBe(hint);
    expect(getUserHintAtRequest("/api/other"), "which was not requested").toBe("9");
    discardPreloaded();
    expect(getUserHintAtRequest(ME)).toBe("9");
  });
});
