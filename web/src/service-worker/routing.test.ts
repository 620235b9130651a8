import { describe, expect, it } from "vitest";
import { chooseRoute } from "./routing";

const ORIGIN = "https://kith.example";

function choose(path: string, mode: RequestMode = "cors", method = "GET") {
  return chooseRoute({ method, mode, url: new URL(path, ORIGIN) }, ORIGIN);
}

describe("the route of a request", () => {
  // proves: worker-api
  it.each([
    ["/api/auth/me", "cors", "GET"],
    ["/api/events", "cors", "GET"],
    ["/api/events?after=7", "same-origin", "GET"],
    ["/api/login", "navigate", "GET"],
    ["/api", "navigate", "GET"],
    ["/api/posts", "cors", "POST"],
    ["/api/users/7/export.zip", "navigate", "GET"],
  ] as const)("leaves %s of the API untouched (%s, %s)", (path, mode, method) => {
    expect(choose(path, mode, method)).toBe("untouched");
  });
  it.each(["/", "/?compose", "/post/7", "/profile/ada", "/apis", "/tag/images"])(
    "is a page for a navigation to %s",
    (path) => expect(choose(path, "navigate")).toBe("page"),
  );
  it.each([
    ["/images/ab/cd.webp", "no-cors", "image"],
    ["/assets/index-BoW3VIFJ.js", "cors", "hashed-file"],
    ["/start.js", "no-cors", "start-script"],
  ] as const)("of %s is decided by its path", (path, mode, route) => {
    expect(choose(path, mode)).toBe(route);
  });
  it.each([
    ["/images/ab/cd.webp", "navigate", "GET"],
    ["/media/landing.mp4", "no-cors", "GET"],
    ["/manifest.webmanifest", "cors", "GET"],
    ["/manifest.webmanifest", "navigate", "GET"],
    ["/post/7", "cors", "GET"],
    ["/", "navigate", "POST"],
    ["/images/ab/cd.webp", "cors", "HEAD"],
  ] as const)("leaves %s untouched (%s, %s)", (path, mode, method) => {
    expect(choose(path, mode, method)).toBe("untouched");
  });
  it("leaves other origins untouched, such as the storage for uploads", () => {
    expect(choose("https://bucket.example/images/x.webp")).toBe("untouched");
    expect(choose("https://bucket.example/share", "cors", "POST")).toBe("untouched");
  });
  it("receives shares by POST only", () => {
    expect(choose("/share", "navigate", "POST")).toBe("share");
    expect(choose("/share", "navigate")).toBe("page");
  });
});
