import { createDecipheriv, createECDH, hkdfSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "@playwright/test";

/** A push service for tests, which decrypts messages as a browser would. */
export interface PushService {
  origin: string;
  /** The messages so far. */
  messages: string[];
  /** Makes pages of a browser subscribe at this service instead of the vendor's. */
  serve(context: BrowserContext): Promise<void>;
  stop(): void;
}

export async function startPushService(): Promise<PushService> {
  const key = createECDH("prime256v1");
  const publicKey = key.generateKeys();
  const auth = Buffer.alloc(16, 9);
  const messages: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      messages.push(decrypt(Buffer.concat(chunks)));
      response.writeHead(201).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** RFC 8291: the salt, the record's size and the sender's key come before the record. */
  function decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const keyLength = body.readUInt8(20);
    const senderKey = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
    const secret = Buffer.from(hkdfSync("sha256", key.computeSecret(senderKey), auth, info, 32));
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${name}\0`, length));
    const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString();
  }

  return {
    origin,
    messages,
    async serve(context) {
      const keys = { p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") };
      const subscription = { endpoint: `${origin}/browser`, keys };
      await context.addInitScript((json) => {
        const subscribed = { toJSON: () => json, unsubscribe: () => Promise.resolve(true) };
        PushManager.prototype.subscribe = () =>
          Promise.resolve(subscribed as unknown as PushSubscription);
      }, subscription);
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Delivers a message to a page's service worker, as its push service would. */
export async function deliverPush(page: Page, message: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: message,
  });
}
