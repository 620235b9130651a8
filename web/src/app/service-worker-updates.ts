import { t } from "@lingui/core/macro";
import { requestWorker } from "@/lib/offline/worker-client";
import { toast } from "@/lib/state/toast";

const WORKER_URL = "/service-worker.js";
const CHECK_INTERVAL_MS = 60 * 60_000;

let isStarted = false;

/**
 * Registers the service worker, and offers a reload once the server has a newer version of the app than
 * this page. Runs once for each document.
 */
export async function startServiceWorker(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (isStarted || !workers) return;
  isStarted = true;
  // Found instead of taken from `register`: a browser may do nothing where workers are blocked.
  await workers.register(WORKER_URL, { updateViaCache: "none" });
  const registration = await workers.getRegistration();
  if (!registration) return;
  if (registration.waiting) void offerReload(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => {
      // Without a worker before it, this is the first one and no update.
      if (worker.state === "installed" && registration.active) void offerReload(worker);
    });
  });
  // Another tab activated the new version, which deleted the files of this one.
  workers.addEventListener("controllerchange", () => {
    if (workers.controller) void offerReload(workers.controller);
  });
  checkOnReturn(registration);
}

/** Asks for a newer version when the member comes back, once an hour. Browsers ask only when a page opens. */
function checkOnReturn(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - checkedAt < CHECK_INTERVAL_MS) return;
    checkedAt = Date.now();
    // Offered again: another toast may have replaced the first offer.
    if (registration.waiting) void offerReload(registration.waiting);
    else registration.update().catch(() => undefined);
  });
}

/** Offers the version of a worker, unless this page came from the server with that version already. */
async function offerReload(worker: ServiceWorker): Promise<void> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "";
  if ((await requestWorker(worker, { type: "contains", script })) !== false) return;
  toast({
    title: t`A new version is ready`,
    action: { label: t`Reload`, run: () => reloadWith(worker) },
  });
}

/** Reloads the page with the version of a worker, which is activated for it. */
function reloadWith(worker: ServiceWorker): void {
  if (worker.state !== "installed") return location.reload();
  worker.addEventListener("statechange", () => {
    if (worker.state === "activated" || worker.state === "redundant") location.reload();
  });
  void requestWorker(worker, { type: "activate" });
}
