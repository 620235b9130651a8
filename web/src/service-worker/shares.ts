import { SHARES_CACHE } from "@/lib/offline/worker-protocol";

/** More than a member shares before they open Kith; the oldest ones make room. */
export const MAX_SHARES = 10;

/**
 * Keeps what was shared until a page of a member takes it over, and leads there. A member who is logged
 * out finds it after the login.
 */
export async function receiveShare(request: Request): Promise<Response> {
  try {
    const cache = await caches.open(SHARES_CACHE);
    const kept = await cache.keys();
    const surplus = kept.slice(0, Math.max(0, kept.length - MAX_SHARES + 1));
    await Promise.all(surplus.map((key) => cache.delete(key)));
    const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
    const key = `${new URL(request.url).pathname}/${crypto.randomUUID()}`;
    await cache.put(key, new Response(await request.blob(), { headers }));
    return Response.redirect("/?compose", 303);
  } catch {
    // The storage is full. The page shows an error.
    return Response.redirect("/?share=failed", 303);
  }
}

/** Deletes what was shared and not taken over. */
export async function deleteShares(): Promise<void> {
  await caches.delete(SHARES_CACHE);
}
