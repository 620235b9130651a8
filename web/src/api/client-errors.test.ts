import { afterEach, beforeEach, expect, test, vi } from "vitest";

const POST = vi.fn<(path: string, init: { body: unknown }) => Promise<unknown>>();
vi.mock("./client", () => ({ api: { POST } }));

beforeEach(() => {
  // The module counts its reports.
  vi.resetModules();
  POST.mockResolvedValue({});
  vi.stubGlobal("location", { pathname: "/profile/ada" });
});
afterEach(() => {
  vi.unstubAllGlobals();
  POST.mockReset();
});

function failAt(...frames: string[]): TypeError {
  const error = new TypeError("Ada wrote: hello");
  error.stack = `${error.message}\n${frames.map((frame) => `    at f (${frame})`).join("\n")}`;
  return error;
}

// proves: error-report
test("a report has positions in the app's scripts, and neither message nor URL", async () => {
  const { reportClientError } = await import("./client-errors");
  const own = "http://kith.test/assets/index-B63kB6wH.js:1:20471";
  reportClientError("page", failAt(own, "chrome-extension://abc/content.js:1:2"));
  expect(POST.mock.calls).toMatchObject([
    [
      "/api/client-errors",
      {
        body: {
          source: "page",
          route: "/profile/*",
          name: "TypeError",
          frames: "index-B63kB6wH.js:1:20471",
        },
      },
    ],
  ]);
});

// proves: error-report
test("a page load reports at most five errors, and none of other scripts", async () => {
  const { reportClientError } = await import("./client-errors");
  reportClientError("script", failAt("chrome-extension://abc/content.js:1:2"));
  expect(POST).not.toHaveBeenCalled();
  for (let index = 0; index < 9; index += 1) reportClientError("row", failAt());
  expect(POST).toHaveBeenCalledTimes(5);
});

test("a path is reported without names and ids", async () => {
  const { getRoutePattern } = await import("./client-errors");
  const paths = ["/", "/discover", "/post/123", "/profile/ada/followers", "/Ada@example.org"];
  expect(paths.map(getRoutePattern)).toEqual(["/", "/discover", "/post/*", "/profile/*", "/*"]);
});
