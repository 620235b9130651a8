import { expect } from "@playwright/test";
import { red } from "../image-files";
import type { Kith } from "../server";
import { payloads } from "./payloads";
import { type ApiResponse, Session } from "./session";

/** A member who saves payloads in all fields. */
export interface Writer {
  session: Session;
  id: string;
  username: string;
  /** The URL of an uploaded image. */
  image: string;
}

/** Parameters and body of a request. */
export interface Sent {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: object;
}

/** The fields in which payloads were sent so far, as in `fieldUses`. */
export const triedFields = new Set<string>();

/** Sends a request such as `POST /api/posts/{id}/like`. The response must be JSON and no server error. */
export async function sendRequest(
  session: Session,
  key: string,
  sent: Sent = {},
): Promise<ApiResponse> {
  const [method = "", template = ""] = key.split(" ");
  const { path = {}, query = {}, headers = {}, body } = sent;
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? "1"),
  );
  note(key, sent);
  const params = new URLSearchParams(query);
  const answer = await session.fetch(params.size > 0 ? `${address}?${params}` : address, {
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const [type, sniffing] = ["content-type", "x-content-type-options"].map((name) =>
    answer.headers.get(name),
  );
  const isJson = answer.status === 204 || type?.startsWith("application/json") === true;
  const isRight = answer.status < 500 && sniffing === "nosniff" && isJson;
  // Playwright would record each `expect`.
  if (!isRight) throw new Error(`${key} ${JSON.stringify(sent)}: ${answer.status}, ${type}`);
  return answer;
}

function note(key: string, { path, query, headers, body }: Sent): void {
  noteFields(`${key} `, { ...path, ...query, ...headers, ...body });
}

function noteFields(prefix: string, fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = `${prefix}${name}${Array.isArray(value) ? "[]" : ""}`;
    for (const text of [value as unknown].flat()) {
      if (isScript(text)) triedFields.add(field);
      else if (typeof text === "object" && text !== null) noteFields(`${field}.`, text);
    }
  }
}

function isScript(value: unknown): boolean {
  return typeof value === "string" && payloads.some((text) => value.includes(text));
}

/** Sends a request that must succeed, and returns the body. */
export async function requestJson<T = { id: string }>(
  session: Session,
  key: string,
  sent: Sent = {},
): Promise<T> {
  const answer = await sendRequest(session, key, sent);
  const { status, ok, body } = answer;
  if (!ok) throw new Error(`${key} ${JSON.stringify(sent)}: ${status} ${body.toString()}`);
  return (status === 204 ? {} : JSON.parse(body.toString())) as T;
}

/** Signs up `count` members, each with a username and an uploaded image. */
export async function signUpWriters(kith: Kith, count: number): Promise<Writer[]> {
  const codes = await kith.inviteCodes(count);
  return mapConcurrently(codes, 4, (code, at) => join(kith, code, `writer_${at}`));
}

async function join(kith: Kith, inviteCode: string, username: string): Promise<Writer> {
  const session = new Session(kith.url);
  const email = `${username}@example.org`;
  await requestJson(session, "POST /api/auth/request-magic-link", { body: { email, inviteCode } });
  const { search } = new URL(await kith.mailedLink(email));
  await requestJson(session, "GET /api/auth/verify", { query: parseQuery(search) });
  const { id } = await requestJson(session, "PUT /api/users/username", { body: { username } });
  return { session, id, username, image: await upload(session) };
}

/** Logs in by a link, with this `User-Agent`. */
export async function logIn(kith: Kith, link: string, userAgent = ""): Promise<Session> {
  const session = new Session(kith.url);
  // Headers contain ASCII only.
  const headers = { "user-agent": userAgent.replaceAll(/[^ -~]/g, "") };
  const query = parseQuery(new URL(link).search);
  await requestJson(session, "GET /api/auth/verify", { query, headers });
  return session;
}

async function upload(session: Session): Promise<string> {
  const { buffer, mimeType } = red;
  const body = { size: buffer.length, type: mimeType };
  const { uploadURL } = await requestJson<{ uploadURL: string }>(
    session,
    "POST /api/objects/upload",
    {
      body,
    },
  );
  const headers = { "content-type": mimeType };
  const { ok } = await session.fetch(uploadURL, { method: "PUT", headers, body: buffer });
  expect(ok).toBe(true);
  return uploadURL;
}

function parseQuery(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Maps items, a few concurrently; returns the results in the order of the items. */
export async function mapConcurrently<Item, Made>(
  items: readonly Item[],
  atOnce: number,
  make: (item: Item, at: number) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    const few = items.slice(at, at + atOnce);
    made.push(...(await Promise.all(few.map((item, next) => make(item, at + next)))));
  }
  return made;
}

/** Makes `count` different emails out of payloads. */
export function makeEmails(count: number): string[] {
  const locals = payloads.map((text) =>
    text
      .replaceAll(/[^\w!#$%&'*+/=?^`{|}~-]/g, "")
      .toLowerCase()
      .slice(0, 60),
  );
  const different = [...new Set(locals.filter((text) => /['`{/=&$%]/.test(text)))];
  if (different.length < count) throw new Error(`Only ${different.length} can be addresses.`);
  return different.slice(0, count).map((local) => `${local}@example.org`);
}

/** Removes characters that are rejected in emails without a verification. */
export function makeUnverifiedEmails(addresses: readonly string[]): string[] {
  return addresses.map((address, at) => `w${at}${address.replaceAll(/[`$|&]/g, "")}`);
}

/** Removes characters that are rejected in a member's new email. */
export function makeNewEmails(addresses: readonly string[]): string[] {
  return addresses.map((address, at) => `n${at}${address.replaceAll(/[/?#=&]/g, "")}`);
}
