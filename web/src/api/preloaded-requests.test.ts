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
function start(kept: Record<string, string> | undefined, pathname = "/"): string[] {
  const asked: string[] = [];
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
    localStorage: kept && { getItem: (name: string) => kept[name] ?? null },
    fetch(address: string) {
      asked.push(address);
      return Promise.resolve(new Response(address));
    },
  };
  runInNewContext(script, page);
  vi.stubGlobal("early", page["early"]);
  vi.stubGlobal("localStorage", { getItem: () => "9" });
  return asked;
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
  it("is less for a visitor, and nothing while a logout is owed", () => {
    expect(start({})).toEqual([ME]);
    expect(start(undefined)).toEqual([ME]);
    expect(start({ "kith:member": "7", "kith:logout": "1" })).toEqual([]);
    expect(start({ "kith:member": "7" }, "/terms")).toEqual([]);
  });
  // proves: logout-tabs
  it.each([
    ["a member", { "kith:member": "7" }, "7"],
    ["nobody", {}, null],
    ["nothing, without a storage", undefined, undefined],
  ])("is known to be of the moment when the hint named %s", (_, kept, hint) => {
    start(kept);
    expect(getUserHintAtRequest(ME)).toBe(hint);
    expect(getUserHintAtRequest("/api/other"), "which will be asked for now").toBe("9");
    discardPreloaded();
    expect(getUserHintAtRequest(ME)).toBe("9");
  });
});
