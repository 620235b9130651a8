import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  chooseAddresses,
  getNodeFlags,
  createNodeFolder,
  type NodeAddress,
  nodeCount,
  startProxy,
  waitForListener,
} from "./nodes";
import { freePort } from "./ports";

/** A Kith server with a new data folder. */
export interface Kith {
  url: string;
  /** Logs in the first member. */
  founderLink: string;
  /** An invite code of the founder, for one friend. */
  inviteCode: string;
  /** The newest login link in the emails to an address. */
  mailedLink(address: string): Promise<string>;
  /** A login link that the operator creates for a member. */
  signInLink(username: string): Promise<string>;
  /** Creates invite codes of the operator. */
  inviteCodes(count: number): Promise<string[]>;
  /** The login code in the newest email to an address. */
  mailedCode(address: string): Promise<string>;
  /** The part of the newest email to an address that matches `wanted`. */
  mailed(address: string, wanted: RegExp): Promise<string>;
  /** All sent emails, in no order. */
  mails(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Servers that a failed test leaves running are stopped with the test process. */
const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/**
 * Starts the binary of KITH_E2E_BINARY on free ports, with further flags;
 * with KITH_TEST_POSTGRES, on a database of its own there instead of a file.
 */
export function startKith(...flags: string[]): Promise<Kith> {
  return start(flags, false);
}

/** Starts the same binary with the community that `kith demo` creates; no invite codes exist yet. */
export function startDemo(...flags: string[]): Promise<Kith> {
  return start(flags, true);
}

async function start(flags: string[], isDemo: boolean): Promise<Kith> {
  const binary = process.env["KITH_E2E_BINARY"];
  if (!binary) throw new Error("KITH_E2E_BINARY must name the kith binary.");
  const data = await mkdtemp(join(tmpdir(), "kith-e2e-"));
  const url = `http://127.0.0.1:${await freePort()}`;
  const env = { ...process.env, ...(await createDatabase()) };
  const places = [`--public-url=${url}`, `--data=${data}`];
  const demo = ["demo", ...places];
  const made = isDemo ? (await promisify(execFile)(binary, demo, { env })).stdout : "";
  const addresses =
    nodeCount > 1
      ? await chooseAddresses()
      : [{ listen: new URL(url).host, admin: `127.0.0.1:${await freePort()}` }];
  const folders = addresses.map((_, index) => (index ? `${data}-${index + 1}` : data));
  const nodeFlags = nodeCount > 1 ? getNodeFlags(flags) : [];
  const serve = ({ listen, admin }: NodeAddress, folder: string) => {
    const listeners = [`--listen=${listen}`, `--admin-listen=${admin}`];
    const settings = [`--public-url=${url}`, `--data=${folder}`, ...nodeFlags, ...flags];
    return spawn(binary, ["serve", ...listeners, ...settings], { env });
  };
  const children: ChildProcess[] = [];
  const keep = (child: ChildProcess) => {
    children.push(child);
    running.add(child);
    child.once("exit", () => running.delete(child));
    // A full pipe would stop the server.
    child.stderr?.resume();
    child.stdout?.resume();
    return child;
  };
  const [first, ...others] = addresses;
  if (!first) throw new Error("KITH_E2E_NODES must be at least 1.");
  const { founderLink, inviteCode } = await readStartOutput(keep(serve(first, data)), made);
  for (const [index, address] of others.entries()) {
    const folder = folders[index + 1] ?? "";
    await createNodeFolder(data, folder);
    keep(serve(address, folder));
    await waitForListener(address.listen);
  }
  if (nodeCount > 1) keep(await startProxy(url, addresses, data));
  const outbox = join(data, "outbox");
  return {
    url,
    founderLink,
    inviteCode,
    mailedLink: (address) =>
      findInMails(outbox, address, /https?:\/\/\S+\/auth\/verify\?[^\s"<>]+/),
    async signInLink(username) {
      const words = ["member", "sign-in", username, ...places];
      return (await promisify(execFile)(binary, words, { env })).stdout.trim();
    },
    async inviteCodes(count) {
      const words = ["invite", "create", `--count=${count}`, `--data=${data}`];
      return (await promisify(execFile)(binary, words, { env })).stdout.trim().split("\n");
    },
    mailedCode: (address) => findInMails(outbox, address, /^[A-Z2-9]{8}$/m),
    mailed: (address, wanted) => findInMails(outbox, address, wanted),
    mails: () => readMails(outbox),
    async stop() {
      // The proxy first, because it would wait for a node.
      for (const child of children.toReversed()) {
        if (child.exitCode !== null) continue;
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an empty PostgreSQL database, and returns the variable that selects it. */
async function createDatabase(): Promise<Record<string, string>> {
  const cluster = process.env["KITH_TEST_POSTGRES"];
  if (!cluster) return {};
  const name = `e2e_${randomUUID().replaceAll("-", "")}`;
  await promisify(execFile)("psql", [cluster, "--quiet", "--command", `create database ${name}`]);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return { KITH_DATABASE_URL: url.href };
}

async function readStartOutput(
  child: ChildProcess,
  made: string,
): Promise<{ founderLink: string; inviteCode: string }> {
  let printed = made;
  child.stdout?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  for (let waited = 0; waited < 30_000; waited += 50) {
    const founderLink = /https?:\/\/\S+\/auth\/verify\?token=\S+/.exec(printed)?.[0];
    const code = /\b[A-Z2-9]{12}\b/.exec(printed.replace(founderLink ?? "", ""))?.[0];
    const inviteCode = code ?? (made && printed.includes("Kith is at") ? "" : undefined);
    if (founderLink && inviteCode !== undefined) return { founderLink, inviteCode };
    if (child.exitCode !== null) break;
    await pause(50);
  }
  throw new Error(`The server did not start:\n${printed}`);
}

async function findInMails(outbox: string, address: string, wanted: RegExp): Promise<string> {
  for (let waited = 0; waited < 10_000; waited += 100) {
    const files = await readdir(outbox).catch(() => []);
    for (const file of files
      .filter((name) => name.endsWith(".eml"))
      .toSorted()
      .toReversed()) {
      const mail = decodeMail(await readFile(join(outbox, file), "utf8"));
      const found = wanted.exec(mail)?.[0];
      if (found && mail.includes(address)) return found;
    }
    await pause(100);
  }
  throw new Error(`No mail to ${address} arrived in ${outbox}.`);
}

async function readMails(outbox: string): Promise<string[]> {
  const files = (await readdir(outbox)).filter((name) => name.endsWith(".eml"));
  return Promise.all(
    files.map(async (file) => decodeMail(await readFile(join(outbox, file), "utf8"))),
  );
}

/** Decodes as much quoted-printable as the plain text of an email needs. */
function decodeMail(raw: string): string {
  return raw.replaceAll("\r\n", "\n").replaceAll("=\n", "").replaceAll("=3D", "=");
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
