import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { afterEach, expect, it, vi } from "vitest";
import { queryClient } from "@/api/query-client";
import { preloadInitialScreen } from "./preload-initial-screen";
import { findScreen, memberScreens } from "./screens";

// Node resolves relative URLs only with an origin, which a page has.
vi.hoisted(() => {
  globalThis.Request = class extends Request {
    constructor(url: string, init?: RequestInit) {
      super(new URL(url, "https://kith.example"), init);
    }
  } as typeof Request;
  // The screens read these globals of a browser while they are loaded.
  const location = { pathname: "/", search: "" };
  Object.assign(globalThis, { location, matchMedia: () => ({ matches: false }) });
});
vi.mock("./authenticated-app", () => ({ default: () => null }));
vi.mock("./initial-shell", () => ({
  isAuthenticatedShellShown: () => true,
  showInitialShell() {},
}));

const script = readFileSync(
  fileURLToPath(new URL("../../public/start.js", import.meta.url)),
  "utf8",
);
const later = vi.fn<(request: Request | string) => Promise<Response>>();

afterEach(() => {
  later.mockReset();
  queryClient.clear();
  vi.unstubAllGlobals();
});

it.each([
  ["/", 2],
  ["/post/9", 2],
  ["/profile/ada", 3],
])("on %s the app requests nothing that start.js has not requested", async (pathname, count) => {
  await findScreen(memberScreens, pathname)?.module.load();
  const storage = { getItem: (name: string) => (name === "kith:member" ? "7" : null) };
  const page: Record<string, unknown> = {
    performance: { now: () => 0, getEntriesByType: () => [] },
    location: { pathname, search: "" },
    matchMedia: () => ({ matches: false }),
    navigator: { languages: ["en"] },
    document: {
      querySelector: () => null,
      documentElement: { classList: { toggle() {} }, dataset: {} },
      currentScript: { dataset: { member: "", visitor: "" } },
    },
    localStorage: storage,
    fetch: () => Promise.resolve(Response.json([])),
  };
  runInNewContext(script, page);
  const preloaded = page["preloadedRequests"] as { responses: Map<string, unknown> };
  expect(preloaded.responses.size).toBe(count);
  vi.stubGlobal("preloadedRequests", preloaded);
  vi.stubGlobal("localStorage", { ...storage, setItem() {} });
  vi.stubGlobal("location", { pathname, search: "", replace() {} });
  vi.stubGlobal("history", { state: null });
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("fetch", later);
  await preloadInitialScreen();
  expect(later).not.toHaveBeenCalled();
  expect([...preloaded.responses.keys()], "and nothing is requested in vain").toEqual([]);
});
