import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, symlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./ports";

/** The number of nodes of each network. More than one run behind the proxy of `deploy/` and need PostgreSQL. */
export const nodeCount = Number(process.env["KITH_E2E_NODES"] ?? 1);

/** The `host:port` of a node's public and admin listeners. */
export interface NodeAddress {
  listen: string;
  admin: string;
}

/** Chooses a loopback IP address for each node; ports are equal, as on separate machines. */
export async function chooseAddresses(): Promise<NodeAddress[]> {
  const [port, adminPort] = [await freePort(), await freePort()];
  return Array.from({ length: nodeCount }, (_, index) => ({
    listen: `127.0.0.${index + 2}:${port}`,
    admin: `127.0.0.${index + 2}:${adminPort}`,
  }));
}

/** Settings of each of several nodes. All nodes need the same storage, unless the test sets one. */
export function getNodeFlags(flags: readonly string[]): string[] {
  const prefix = `/nodes-${randomUUID()}?`;
  const bucket = (process.env["KITH_TEST_S3"] ?? "").replace("?", prefix);
  const hasStorage = flags.some((flag) => flag.startsWith("--storage-url="));
  return [
    "--trusted-proxies=127.0.0.1",
    "--database-pool=8",
    ...(hasStorage ? [] : [`--storage-url=${bucket}`]),
  ];
}

/** Creates the data folder of another node with the first one's secret key and a link to its outbox. */
export async function createNodeFolder(first: string, folder: string): Promise<void> {
  await mkdir(join(first, "outbox"), { recursive: true, mode: 0o700 });
  await mkdir(folder, { mode: 0o700 });
  await copyFile(join(first, "secret.key"), join(folder, "secret.key"));
  await symlink(join(first, "outbox"), join(folder, "outbox"));
}

/** Starts Caddy at `url`, which sends each request to another node, and waits until it listens. */
export async function startProxy(
  url: string,
  nodes: NodeAddress[],
  folder: string,
): Promise<ChildProcess> {
  const config = join(import.meta.dirname, "../../deploy/Caddyfile");
  const env = {
    ...process.env,
    KITH_SITE: url,
    KITH_UPSTREAM: nodes.map(({ listen }) => listen).join(" "),
    KITH_HEALTH_PORT: nodes[0]?.admin.split(":")[1],
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const words = ["run", "--adapter", "caddyfile", "--config", config];
  const proxy = spawn(process.env["KITH_CADDY"] ?? "caddy", words, { env, stdio: "ignore" });
  await waitForListener(new URL(url).host);
  return proxy;
}

/** Waits until a server accepts connections. */
export async function waitForListener(address: string): Promise<void> {
  const [host, port] = address.split(":");
  for (let waited = 0; waited < 30_000; waited += 50) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), host, () => resolve(true)).on("error", () =>
        resolve(false),
      );
      socket.unref();
      socket.once("connect", () => socket.end());
    });
    if (isOpen) return;
    await pause(50);
  }
  throw new Error(`Nothing listens on ${address}.`);
}
