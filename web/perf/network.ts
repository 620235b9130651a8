import type { APIRequestContext, Browser, BrowserContext, Page } from "@playwright/test";
import type { Kith } from "../e2e/server";

/** A network with members and posts, and a session of one member. */
export interface Network {
  /** The session of the member with `username`, the viewer. */
  cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
  username: string;
  /** A post that is a reply and has replies. */
  reply: string;
}

const FRIENDS = ["Mara Lindqvist", "Tomás", "Béatrice"];

const texts = [
  "Notes from the morning train: everybody reads, hardly anyone turns a page. #trains",
  "The first warm step outside. That is the whole post. #smallwins",
  "Question for the engineers: why is it always the cable?\n\nI have checked the plug, the wall, the other wall and my faith. It is the cable. https://cables.example/a-history-of-cables",
  "“A walk is never a mistake.” My neighbour says so, and he has never once taken one.",
  "Seven loaves today, one of them square. No one asked for a square loaf, and everybody wanted it. #sourdough #smallwins",
  "Rain.",
];

/** Creates friends of the founder, `posts` posts by all of them, and a thread. */
export async function fillNetwork(browser: Browser, kith: Kith, posts: number): Promise<Network> {
  const context = await browser.newContext({ baseURL: kith.url });
  const founder = context.request;
  await ok(founder.get(getVerificationUrl(kith.founderLink)));
  const writers = [founder];
  let inviteCode = kith.inviteCode;
  for (const name of FRIENDS) {
    if (writers.length > 1) inviteCode = await createInviteCode(founder);
    writers.push(await join(browser, kith, inviteCode, name));
  }
  const reply = await writeThread(writers);
  for (let number = 0; number < posts; number += 1) {
    const writer = writers[number % writers.length] ?? founder;
    const pollOptions = number % 40 === 7 ? ["Tea", "Coffee", "Neither"] : [];
    const content = `${texts[number % texts.length]} (${number})`;
    await write(writer, { content, pollOptions });
  }
  const { username } = (await (await founder.get("/api/auth/me")).json()) as { username: string };
  return { cookies: await context.cookies(), username, reply };
}

/** Opens a page of a visitor or of a member. `isKnown` stores the session hint of an earlier visit. */
export async function openPage(
  browser: Browser,
  kith: Kith,
  viewport: { width: number; height: number },
  member?: Network,
  isKnown = true,
): Promise<Page> {
  const localStorage = isKnown ? [{ name: "kith:member", value: "1" }] : [];
  const origins = [{ origin: kith.url, localStorage }];
  const context = await browser.newContext({
    baseURL: kith.url,
    viewport,
    ...(member && { storageState: { cookies: member.cookies, origins } }),
  });
  return context.newPage();
}

async function createInviteCode(member: APIRequestContext): Promise<string> {
  return ((await (await ok(member.post("/api/invites"))).json()) as { code: string }).code;
}

async function join(
  browser: Browser,
  kith: Kith,
  inviteCode: string,
  displayName: string,
): Promise<APIRequestContext> {
  const email = `${inviteCode.toLowerCase()}@example.org`;
  const friend = (await browser.newContext({ baseURL: kith.url })).request;
  await ok(friend.post("/api/auth/request-magic-link", { data: { email, inviteCode } }));
  await ok(friend.get(getVerificationUrl(await kith.mailedLink(email))));
  await ok(friend.put("/api/users/profile", { data: { displayName } }));
  return friend;
}

/** Writes six posts, each a reply to the one before, and 30 replies to the fifth. Returns the id of the fifth. */
async function writeThread(writers: readonly APIRequestContext[]): Promise<string> {
  const ids: string[] = [];
  for (let number = 0; number < 36; number += 1) {
    const writer = writers[number % writers.length];
    const replyToId = number < 6 ? ids.at(-1) : ids[4];
    const content = texts[number % texts.length] ?? "";
    if (writer) ids.push(await write(writer, { content, replyToId }));
  }
  return ids[4] ?? "";
}

async function write(writer: APIRequestContext, data: object): Promise<string> {
  return ((await (await ok(writer.post("/api/posts", { data }))).json()) as { id: string }).id;
}

async function ok(request: ReturnType<APIRequestContext["get"]>) {
  const response = await request;
  if (!response.ok()) {
    throw new Error(`${response.url()}: ${response.status()} ${await response.text()}`);
  }
  return response;
}

/** The URL of the request that the page of a mailed link sends. */
function getVerificationUrl(link: string): string {
  return `/api/auth/verify${new URL(link).search}`;
}
