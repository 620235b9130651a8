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

/** The fields in which payloads were sent so far, with the keys of `fieldUses`. */
export const triedFields = new Set<string>();

/** Sends a request such as `POST /api/posts/{id}/like`. The response must be JSON and no server error. */
export async function sendRequest(
  session: Session,
  key: string,
  sent: Sent = {},
): Promise<ApiResponse> {
  const [method = "", template = ""] = key.split(" ");
  const { path = {}, query = {}, headers = {}, body } = sent;
  const url = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? "1"),
  );
  recordPayloads(key, sent);
  const params = new URLSearchParams(query);
  const response = await session.fetch(params.size > 0 ? `${url}?${params}` : url, {
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const [type, sniffing] = ["content-type", "x-content-type-options"].map((name) =>
    response.headers.get(name),
  );
  const isJson = response.status === 204 || type?.startsWith("application/json") === true;
  const isValid = response.status < 500 && sniffing === "nosniff" && isJson;
  // Playwright would record each `expect`.
  if (!isValid) throw new Error(`${key} ${JSON.stringify(sent)}: ${response.status}, ${type}`);
  return response;
}

function recordPayloads(key: string, { path, query, headers, body }: Sent): void {
  recordFields(`${key} `, { ...path, ...query, ...headers, ...body });
}

function recordFields(prefix: string, fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = `${prefix}${name}${Array.isArray(value) ? "[]" : ""}`;
    for (const text of [value as unknown].flat()) {
      if (isScript(text)) triedFields.add(field);
      else if (typeof text === "object" && text !== null) recordFields(`${field}.`, text);
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
  const response = await sendRequest(session, key, sent);
  const { status, ok, body } = response;
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

/** Maps items, `concurrency` of them at a time; returns the results in the order of the items. */
export async function mapConcurrently<Item, Made>(
  items: readonly Item[],
  concurrency: number,
  make: (item: Item, at: number) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (let at = 0; at < items.length; at += concurrency) {
    const batch = items.slice(at, at + concurrency);
    made.push(...(await Promise.all(batch.map((item, next) => make(item, at + next)))));
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
  if (different.length < count) throw new Error(`Only ${different.length} can be emails.`);
  return different.slice(0, count).map((local) => `${local}@example.org`);
}

/** Removes characters that are rejected in emails without a verification. */
export function makeUnverifiedEmails(emails: readonly string[]): string[] {
  return emails.map((email, at) => `w${at}${email.replaceAll(/[`$|&]/g, "")}`);
}

/** Removes characters that are rejected in a member's new email. */
export function makeNewEmails(emails: readonly string[]): string[] {
  return emails.map((email, at) => `n${at}${email.replaceAll(/[/?#=&]/g, "")}`);
}
