import { clientsClaim } from "workbox-core";
import { getCacheKeyForURL, matchPrecache, precache } from "workbox-precaching";
import { NetworkOnly } from "workbox-strategies";
import type { WorkerRequest } from "@/lib/offline/worker-protocol";
import { deleteImages, images } from "./images";
import { openNotification, showPush } from "./push";
import { chooseRoute, type Route, SHELL_URL } from "./routing";
import { deleteShares, receiveShare } from "./shares";

declare const self: ServiceWorkerGlobalScope;

/** An install event of browsers that can send requests past the worker. */
interface RoutableInstallEvent extends ExtendableEvent {
  addRoutes?: (rule: { condition: { urlPattern: string }; source: "network" }) => Promise<void>;
}

const network = new NetworkOnly();

const handlers: Record<Exclude<Route, "untouched">, (event: FetchEvent) => Promise<Response>> = {
  page: (event) => preferNetwork(event, SHELL_URL),
  "start-script": (event) => preferNetwork(event, event.request.url),
  "hashed-file": async (event) => (await matchPrecache(event.request)) ?? network.handle(event),
  image: (event) => images.handle(event),
  share: ({ request }) => receiveShare(request),
};

// oxlint-disable-next-line no-underscore-dangle -- the build writes the list of the app's files here
precache(self.__WB_MANIFEST);
// Pages use the first worker immediately. A later one waits until the member chooses to reload.
clientsClaim();

self.addEventListener("install", (event: RoutableInstallEvent) => {
  // Spares each API request the start of the worker, which would not touch it anyway.
  const rule = { condition: { urlPattern: "/api/*" }, source: "network" } as const;
  event.waitUntil(event.addRoutes?.(rule).catch(() => undefined) ?? Promise.resolve());
});

self.addEventListener("activate", (event) => {
  // The browser requests a page while the worker starts.
  event.waitUntil(self.registration.navigationPreload?.enable() ?? Promise.resolve());
});

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const route = chooseRoute({ method, mode, url: new URL(url) }, self.location.origin);
  if (route !== "untouched") event.respondWith(handlers[route](event));
});

self.addEventListener("message", (event) => {
  const [port] = event.ports;
  event.waitUntil(respond(event.data as WorkerRequest).then((data) => port?.postMessage(data)));
});

self.addEventListener("push", (event) => {
  event.waitUntil(showPush(self.registration, event.data?.text() ?? ""));
});

self.addEventListener("notificationclick", (event) => {
  event.waitUntil(openNotification(self.clients, event.notification));
});

/** Responds from the network, and without one with a file of the app. */
async function preferNetwork(event: FetchEvent, file: string): Promise<Response> {
  try {
    return await network.handle(event);
  } catch (error) {
    const precached = await matchPrecache(file);
    if (!precached) throw error;
    return precached;
  }
}

async function respond(request: WorkerRequest): Promise<unknown> {
  if (request.type === "activate") return self.skipWaiting();
  if (request.type === "contains") return getCacheKeyForURL(request.script) !== undefined;
  await deleteImages();
  if (request.data === "images-and-shares") await deleteShares();
  return true;
}
