import { CacheExpiration, ExpirationPlugin } from "workbox-expiration";
import { CacheFirst } from "workbox-strategies";

export const IMAGES_CACHE = "kith-images";

/** Enough for the pictures of the last screens: about 10 MB. */
export const IMAGE_BOUNDS = { maxEntries: 200, maxAgeSeconds: 30 * 24 * 60 * 60 };

/** Serves images from the cache first: a URL contains a hash of its image, so it never changes. */
export const images = new CacheFirst({
  cacheName: IMAGES_CACHE,
  plugins: [new ExpirationPlugin({ ...IMAGE_BOUNDS, purgeOnQuotaError: true })],
});

/** Deletes all cached images, and the database that limits their number. */
export async function deleteImages(): Promise<void> {
  await caches.delete(IMAGES_CACHE);
  await new CacheExpiration(IMAGES_CACHE, IMAGE_BOUNDS).delete();
}
