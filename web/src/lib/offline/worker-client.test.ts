import { afterEach, describe, expect, it, vi } from "vitest";
import { deleteOfflineData } from "./worker-client";

type Post = (request: unknown, ports: MessagePort[]) => void;

/** Has a browser with a service worker that gets its messages by `postMessage`. */
function installWorker(postMessage: Post): void {
  const registration = { active: { postMessage } };
  vi.stubGlobal("navigator", {
    serviceWorker: { getRegistration: () => Promise.resolve(registration) },
  });
}

describe("deleting data of the service worker", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is requested from the worker and waits for its response", async () => {
    const post = vi.fn<Post>((_, [port]) => port?.postMessage(true));
    installWorker(post);
    await deleteOfflineData("images-and-shares");
    const [request] = post.mock.calls[0] ?? [];
    expect(request).toEqual({ type: "delete", data: "images-and-shares" });
  });
  it("waits a second at most", async () => {
    vi.useFakeTimers();
    installWorker(() => {});
    const deletion = deleteOfflineData("images");
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(deletion).resolves.toBeUndefined();
  });
  it.each([
    ["browsers have no workers", {}],
    [
      "browsers forbid them",
      { serviceWorker: { getRegistration: () => Promise.reject(new DOMException()) } },
    ],
    ["there is none", { serviceWorker: { getRegistration: () => Promise.resolve(undefined) } }],
  ])("does nothing where %s", async (_, navigator) => {
    vi.stubGlobal("navigator", navigator);
    await expect(deleteOfflineData("images")).resolves.toBeUndefined();
  });
});
