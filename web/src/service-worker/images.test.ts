import { afterAll, expect, it, vi } from "vitest";

// Workbox reads globals of a service worker when it is imported.
vi.stubGlobal("self", globalThis);
vi.stubGlobal("registration", { scope: "https://kith.example/" });
const { CacheExpiration } = await import("workbox-expiration");
const { deleteImages, IMAGE_BOUNDS, images, IMAGES_CACHE } = await import("./images");

afterAll(() => void vi.unstubAllGlobals());

// proves: worker-images
it("keeps 200 images for 30 days", () => {
  expect(IMAGE_BOUNDS).toEqual({ maxEntries: 200, maxAgeSeconds: 2_592_000 });
  expect(images.cacheName).toBe(IMAGES_CACHE);
  expect(images.plugins).toHaveLength(1);
});

it("deletes the images with the list of their URLs", async () => {
  const deleteCache = vi.fn(() => Promise.resolve(true));
  vi.stubGlobal("caches", { delete: deleteCache });
  const deleteList = vi.spyOn(CacheExpiration.prototype, "delete").mockResolvedValue();
  await deleteImages();
  expect(deleteCache).toHaveBeenCalledExactlyOnceWith(IMAGES_CACHE);
  expect(deleteList).toHaveBeenCalledOnce();
});
