import { expect } from "@playwright/test";
import { red } from "../image-files";
import type { Kith } from "../server";
import { payloads } from "./payloads";
import { type Answer, Session } from "./session";

/** Somebody who writes scripts wherever there is room. */
export interface Person {
  session: Session;
  id: string;
  username: string;
  /** The address of a file of theirs. */
  image: string;
}

/** What is sent with a call, by name. */
export interface Sent {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: object;
}

/** The fields that texts were sent in so far, as in `places`. */
export const tried = new Set<string>();

/** Makes a call such as `POST /api/posts/{id}/like`. Whatever is answered is no page, and no defect. */
export async function call(session: Session, key: string, sent: Sent = {}): Promise<Answer> {
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
  // Thrown instead of expected, of which a record would be kept.
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
      if (isScript(text)) tried.add(field);
      else if (typeof text === "object" && text !== null) noteFields(`${field}.`, text);
    }
  }
}

function isScript(value: unknown): boolean {
  return typeof value === "string" && payloads.some((text) => value.includes(text));
}

/** Makes a call that succeeds, and answers its body. */
export async function done<T = { id: string }>(
  session: Session,
  key: string,
  sent: Sent = {},
): Promise<T> {
  const answer = await call(session, key, sent);
  const { status, ok, body } = answer;
  if (!ok) throw new Error(`${key} ${JSON.stringify(sent)}: ${status} ${body.toString()}`);
  return (status === 204 ? {} : JSON.parse(body.toString())) as T;
}

/** Lets so many people in, each with a chosen username and a file. */
export async function letIn(kith: Kith, count: number): Promise<Person[]> {
  const codes = await kith.inviteCodes(count);
  return inTurns(codes, 4, (code, at) => join(kith, code, `writer_${at}`));
}

async function join(kith: Kith, inviteCode: string, username: string): Promise<Person> {
  const session = new Session(kith.url);
  const email = `${username}@example.org`;
  await done(session, "POST /api/auth/request-magic-link", { body: { email, inviteCode } });
  const { search } = new URL(await kith.mailedLink(email));
  await done(session, "GET /api/auth/verify", { query: queryOf(search) });
  const { id } = await done(session, "PUT /api/users/username", { body: { username } });
  return { session, id, username, image: await upload(session) };
}

/** Opens a mailed or printed link, in a browser that names itself so. */
export async function logIn(kith: Kith, link: string, userAgent = ""): Promise<Session> {
  const session = new Session(kith.url);
  // A header takes no other signs.
  const headers = { "user-agent": userAgent.replaceAll(/[^ -~]/g, "") };
  const query = queryOf(new URL(link).search);
  await done(session, "GET /api/auth/verify", { query, headers });
  return session;
}

async function upload(session: Session): Promise<string> {
  const { buffer, mimeType } = red;
  const body = { size: buffer.length, type: mimeType };
  const { uploadURL } = await done<{ uploadURL: string }>(session, "POST /api/objects/upload", {
    body,
  });
  const headers = { "content-type": mimeType };
  const { ok } = await session.fetch(uploadURL, { method: "PUT", headers, body: buffer });
  expect(ok).toBe(true);
  return uploadURL;
}

function queryOf(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Does something for each item, a few at once; answers in the order of the items. */
export async function inTurns<Item, Made>(
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

/** What of the scripts can be a mail address: so many, all different. */
export function asAddresses(count: number): string[] {
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

/** The same without what is refused of an address that nobody proves. */
export function unproven(addresses: readonly string[]): string[] {
  return addresses.map((address, at) => `w${at}${address.replaceAll(/[`$|&]/g, "")}`);
}

/** The same without what is refused of a member's new address. */
export function named(addresses: readonly string[]): string[] {
  return addresses.map((address, at) => `n${at}${address.replaceAll(/[/?#=&]/g, "")}`);
}
