import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { ImageFile } from "./image-files";
import type { Kith } from "./server";
import { expect, type Page } from "./test";

/** A proxy before a server, which can be upgraded. */
export interface UpgradableServer {
  url: string;
  /** Serves a new version of the service worker from now on, whose first script has another name. */
  upgrade: () => void;
  stop: () => void;
}

/** Starts a proxy, because Playwright cannot intercept the request for a new service worker. */
export async function startUpgradableServer(kith: Kith): Promise<UpgradableServer> {
  let isUpgraded = false;
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = "/" } = incoming;
    const headers = { ...incoming.headers };
    const isUpgradedWorker = isUpgraded && url === "/service-worker.js";
    // The response must be uncompressed and complete.
    if (isUpgradedWorker)
      for (const name of ["accept-encoding", "if-none-match"]) delete headers[name];
    const forwarded = request(new URL(url, kith.url), { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      if (!isUpgradedWorker) {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
        return;
      }
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const script = Buffer.concat(chunks).toString();
        outgoing.writeHead(200, { "Content-Type": "text/javascript" });
        outgoing.end(script.replace(/(assets\/index-[\w-]+\.js)/, "$1?next"));
      });
    });
    // The page has closed the connection, or the server has stopped.
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    upgrade: () => (isUpgraded = true),
    stop() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

/** Logs the founder in, and waits until the service worker controls the page. */
export async function logInWithWorker(page: Page, kith: Kith, url = kith.url): Promise<void> {
  await page.goto((await kith.signInLink("founder")).replace(kith.url, url));
  await expect(page.getByRole("heading", { name: "Home", exact: true })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
    .toBe("activated");
}

/** The paths in the caches of this browser, by the cache's name. */
export function cachedPaths(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const paths: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      paths[name] = requests.map(({ url }) => new URL(url).pathname);
    }
    return paths;
  });
}

/** Whether the page's service worker has precached the page's script. */
export function hasPageScript(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const { port1, port2 } = new MessageChannel();
    const script = document.querySelector<HTMLScriptElement>("script[type=module]")?.src;
    navigator.serviceWorker.controller?.postMessage({ type: "contains", script }, [port2]);
    return new Promise((resolve) => {
      port1.addEventListener("message", ({ data }) => resolve(data));
      port1.start();
    });
  });
}

/** The number of URLs in the database that limits the cached images. */
export function countNotedImages(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("workbox-expiration");
        opening.addEventListener("error", () => reject(opening.error));
        opening.addEventListener("success", () => {
          const database = opening.result;
          const count = database.transaction("cache-entries").objectStore("cache-entries").count();
          count.addEventListener("success", () => {
            database.close();
            resolve(count.result);
          });
        });
      }),
  );
}

/** Shares to the app as an operating system does: by a form that no page of the app has sent. */
export async function share(
  page: Page,
  fields: Record<string, string>,
  picture?: ImageFile,
): Promise<void> {
  const image = picture && {
    name: picture.name,
    type: picture.mimeType,
    bytes: [...picture.buffer],
  };
  const navigation = page.waitForEvent("framenavigated");
  await page.evaluate(
    ([texts, file]) => {
      const form = document.createElement("form");
      Object.assign(form, { action: "/share", method: "post", enctype: "multipart/form-data" });
      for (const [name, value] of Object.entries(texts)) {
        const input = document.createElement("input");
        Object.assign(input, { name, value });
        form.append(input);
      }
      if (file) {
        const input = document.createElement("input");
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
        Object.assign(input, { type: "file", name: "images", files: files.files });
        form.append(input);
      }
      document.body.append(form);
      form.submit();
    },
    [fields, image] as const,
  );
  await navigation;
}
