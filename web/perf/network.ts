import type { APIRequestContext, Browser, BrowserContext, Page } from "@playwright/test";
import type { Kith } from "../e2e/server";

/** A filled network, as one of its members sees it. */
export interface Network {
  /** The session of the member who looks. */
  cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
  username: string;
  /** A post that answers others and is answered. */
  reply: string;
}

const FRIENDS = ["Mara Lindqvist", "Tomás", "Béatrice"];

const texts = [
  "Notes from the morning train: everybody reads, nobody turns a page. #trains",
  "The first warm step outside. That is the whole post. #smallwins",
  "Question for the engineers: why is it always the cable?\n\nI have checked the plug, the wall, the other wall and my faith. It is the cable. https://cables.example/a-history-of-cables",
  "“Nobody has ever regretted a walk.” My neighbour says so, and he has never once taken one.",
  "Seven loaves today, one of them square. Nobody asked for a square loaf, and everybody wanted it. #sourdough #smallwins",
  "Rain.",
];

/** Fills a network with friends who wrote `posts` posts between them, and a thread. */
export async function fill(browser: Browser, kith: Kith, posts: number): Promise<Network> {
  const context = await browser.newContext({ baseURL: kith.url });
  const me = context.request;
  await ok(me.get(verificationOf(kith.founderLink)));
  const writers = [me];
  let inviteCode = kith.inviteCode;
  for (const name of FRIENDS) {
    if (writers.length > 1) inviteCode = await makeCode(me);
    writers.push(await join(browser, kith, inviteCode, name));
  }
  const reply = await writeThread(writers);
  for (let number = 0; number < posts; number += 1) {
    const writer = writers[number % writers.length] ?? me;
    const pollOptions = number % 40 === 7 ? ["Tea", "Coffee", "Neither"] : [];
    const content = `${texts[number % texts.length]} (${number})`;
    await write(writer, { content, pollOptions });
  }
  const { username } = (await (await me.get("/api/auth/me")).json()) as { username: string };
  return { cookies: await context.cookies(), username, reply };
}

/** A page of a visitor, or of a member who was here before with this device, where nothing else is stored. */
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

async function makeCode(me: APIRequestContext): Promise<string> {
  return ((await (await ok(me.post("/api/invites"))).json()) as { code: string }).code;
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
  await ok(friend.get(verificationOf(await kith.mailedLink(email))));
  await ok(friend.put("/api/users/profile", { data: { displayName } }));
  return friend;
}

/** Six posts, each answering the one before, and 30 answers to the fifth; answers the fifth's id. */
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
  const answer = await request;
  if (!answer.ok()) throw new Error(`${answer.url()}: ${answer.status()} ${await answer.text()}`);
  return answer;
}

/** The call behind a mailed link. */
function verificationOf(link: string): string {
  return `/api/auth/verify${new URL(link).search}`;
}
