import type { MemberData, WorkerRequest } from "./worker-protocol";

/** Milliseconds after which a worker is taken not to respond. */
const TIMEOUT_MS = 1_000;

/** Sends a request to a service worker. Resolves to its response, or to undefined if none comes in time. */
export function requestWorker(worker: ServiceWorker, request: WorkerRequest): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", ({ data }) => resolve(data));
    port1.start();
    setTimeout(() => resolve(undefined), TIMEOUT_MS);
    worker.postMessage(request, [port2]);
  });
}

/**
 * Requests that the service worker deletes its data of a member. Without a worker there is no such data.
 * Browsers deliver the message even if the page is left meanwhile.
 */
export async function deleteOfflineData(data: MemberData): Promise<void> {
  try {
    const registration = await globalThis.navigator?.serviceWorker?.getRegistration();
    if (registration?.active) await requestWorker(registration.active, { type: "delete", data });
  } catch {
    // Where storage is switched off, browsers reject any question about workers, and have none.
  }
}
