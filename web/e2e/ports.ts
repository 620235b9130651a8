import { once } from "node:events";
import { createServer } from "node:net";

/** A TCP port of the loopback address without a listener. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  probe.close();
  await once(probe, "close");
  return address.port;
}
