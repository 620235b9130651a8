import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { takeShares } from "@/lib/offline/shares";
import { createFakeCaches } from "@/test/fake-caches";
import { deleteShares, MAX_SHARES, receiveShare } from "./shares";

/** The browser's request for a share of another app. */
function share(text: string, ...files: File[]): Request {
  const form = new FormData();
  form.set("text", text);
  for (const file of files) form.append("images", file);
  return new Request("https://kith.example/share", { method: "POST", body: form });
}

describe("a share", () => {
  beforeEach(() => {
    vi.stubGlobal("caches", createFakeCaches());
    // Node's needs a whole URL; a worker resolves it against its own.
    vi.spyOn(Response, "redirect").mockImplementation(
      (url, status) =>
        new Response(null, { status: status ?? 302, headers: { Location: `${url}` } }),
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  // proves: share-kept
  it("is kept, with its images, until it is taken once", async () => {
    const response = await receiveShare(
      share("Look", new File(["x"], "x.png", { type: "image/png" })),
    );
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/?compose"]);
    const [taken] = await takeShares();
    expect(taken?.text).toBe("Look");
    expect(taken?.files.map(({ name, type }) => [name, type])).toEqual([["x.png", "image/png"]]);
    expect(await takeShares()).toEqual([]);
  });
  it("makes room by its oldest", async () => {
    for (let count = 0; count <= MAX_SHARES; count += 1) await receiveShare(share(`Text ${count}`));
    const texts = (await takeShares()).map(({ text }) => text);
    expect(texts).toHaveLength(MAX_SHARES);
    expect([texts[0], texts.at(-1)]).toEqual(["Text 1", `Text ${MAX_SHARES}`]);
  });
  it("redirects to a page with a message if the storage is full", async () => {
    vi.stubGlobal("caches", {
      open: () => Promise.reject(new DOMException("", "QuotaExceededError")),
    });
    const response = await receiveShare(share("Look"));
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/?share=failed"]);
  });
  it("is deleted after a logout", async () => {
    await receiveShare(share("Look"));
    await deleteShares();
    expect(await takeShares()).toEqual([]);
  });
});
