import { type Browser, expect } from "@playwright/test";
import type { Kith } from "../server";
import { decisions, drafts, lists, moderate, pages, type Words, writeAll } from "./batch";
import { done, logIn, type Person, named, unproven } from "./people";
import { openScreen, type Screen } from "./screen";
import type { Session } from "./session";
import { addresses, opened } from "./sweep";

/** Who takes part. The founder follows the writers, and they follow the founder. */
export interface Cast {
  kith: Kith;
  founder: Session;
  /** The founder's id. */
  me: string;
  writers: readonly Person[];
  /** Who has many devices and addresses, and vouches for many. */
  keeper: Person;
  /** To whom moderators do things. */
  target: Person;
}

/** Writers write in all their fields, moderators in theirs, and the founder sees all of it. */
export async function members(
  browser: Browser,
  cast: Cast,
  words: readonly Words[],
): Promise<void> {
  const { kith, founder, me, writers, target } = cast;
  const body = { content: `Here are ${words.length} strange texts` };
  const { id: root } = await done(founder, "POST /api/posts", { body });
  const written = await writeAll(writers, words, root);
  const screen = await openScreen(browser, kith, founder);
  await screen.check(lists(written, root));
  await screen.check(lists(written, root).slice(0, 1));
  await screen.look(
    "descriptions",
    written.map(({ alt }) => alt),
  );
  await screen.page.evaluate(
    (kept) => kept.forEach(([name, draft]) => localStorage.setItem(name, draft)),
    drafts(me, written),
  );
  await screen.check(pages(written));
  await moderate(founder, target, written);
  const muted = written.map(({ by }) => ({ path: { userId: by.id } }));
  for (const path of muted) await done(founder, "POST /api/mutes/{userId}", path);
  await screen.check(decisions(written));
  for (const path of muted) await done(founder, "DELETE /api/mutes/{userId}", path);
  await screen.close();
  const [author] = writers;
  if (!author) throw new Error("Nobody wrote.");
  const noticed = await openScreen(browser, kith, author.session);
  await noticed.check([{ path: "/settings/notices" }]);
  await noticed.close();
}

/** Devices, a new address that waits, friends who are vouched for, and what the server says. */
export async function ownAffairs(
  browser: Browser,
  { kith, keeper }: Cast,
  words: readonly Words[],
  mailed: readonly string[],
): Promise<void> {
  for (const { text } of words) {
    await logIn(kith, await kith.signInLink(keeper.username), text);
  }
  const session = await logIn(kith, await kith.signInLink(keeper.username));
  const devices = await done<{ name: string }[]>(session, "GET /api/auth/sessions");
  expect(devices.length).toBeGreaterThan(words.length);
  for (const { name } of devices) expect(name).toMatch(/^[A-Z]\w+(?: \w+)*$/);
  const screen = await openScreen(browser, kith, session);
  for (const email of named(mailed)) {
    await done(session, "POST /api/account/email", { body: { email } });
    const away = { path: "/invites", title: "Invite Friends · Kith" };
    await screen.check([{ path: "/settings", shows: [email] }, away]);
    await done(session, "DELETE /api/account/email");
  }
  await screen.look("send", "Your friend's email", unproven(mailed));
  const texts = words.map(({ text }) => text);
  await screen.look("refuse", "Your friend's email", texts);
  await screen.close();
}

/** Visitors join the waitlist and ask for links. */
export async function visits(
  { page, check, look }: Screen,
  mailed: readonly string[],
): Promise<void> {
  for (const [at, email] of unproven(mailed).entries()) {
    // The form is good for one address; few of them are typed.
    if (at % 10 > 0) {
      const answer = await page.request.post("/api/waitlist", { data: { email } });
      expect(answer.ok()).toBe(true);
    } else {
      await page.goto("/");
      await page.getByLabel("Email address").fill(email);
      await page.getByRole("button", { name: "Join waitlist" }).click();
      await check([{ shows: [`We'll email ${email} when it's your turn.`] }]);
    }
  }
  await check([{ press: "Login" }, { press: "Already have an account? Log in" }]);
  await look("send", "Email", mailed, "Back to login");
  await check([{ press: "Close" }]);
}

/** Every field of every screen has each text typed into it. */
export async function typing(
  browser: Browser,
  { kith, founder, writers }: Cast,
  texts: readonly string[],
): Promise<void> {
  const [writer] = writers;
  const screen = await openScreen(browser, kith, founder);
  const { page, check, look } = screen;
  const places: [path: string, press: string, fields: number][] = [
    ["/", "Add poll", 3],
    ["/discover", "", 1],
    ["/profile/founder", "Edit Profile", 3],
    ["/admin?tab=members", `Suspend: @${writer?.username}`, 4],
    ["/invites", "", 1],
    ["/settings", "Delete my account", 2],
  ];
  for (const [path, press, fields] of places) {
    await check([press === "" ? { path } : { path, press }]);
    await look("type", texts, fields);
    await page.goto("/");
  }
  await page.goto(`/profile/${writer?.username}`);
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: /^Report/ }).click();
  await look("type", texts, 1);
  await screen.close();
  const visitor = await openScreen(browser, kith);
  await visitor.check([{ press: "Login" }]);
  await visitor.look("type", texts, 3);
  await visitor.close();
}

/** Each address of the app has a script in each of its parts, from within and as somebody's link. */
export async function addressBar(
  browser: Browser,
  { kith, founder }: Cast,
  texts: readonly string[],
): Promise<void> {
  const screen = await openScreen(browser, kith, founder);
  const visitor = await openScreen(browser, kith);
  for (const text of texts) await screen.check(addresses(text));
  // What every object has by that name is no place of the app.
  for (const name of ["constructor", "__proto__", "a%0Ab", "tag/a%0Ab"])
    await openLink(screen, `${kith.url}/${name}`);
  for (const [at, text] of texts.entries()) {
    const address = kith.url + opened[at % opened.length]?.(text);
    await openLink(at % 4 === 3 ? visitor : screen, address);
  }
  await screen.close();
  await visitor.close();
}

async function openLink({ page, check }: Screen, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(
    () => document.contentType !== "text/html" || document.querySelector("h1"),
  );
  const type = await page.evaluate(() => document.contentType);
  expect(type, address).toMatch(/^(?:text\/html|text\/plain|application\/json)$/);
  if (type === "text/html") await check([{}]);
}

/** No mail and no file of an export holds a page with a member's words. */
export async function afterwards({ kith, writers }: Cast): Promise<void> {
  const known =
    /^<(?:!DOCTYPE html|\/?(?:html|head|meta|title|style|body|main|h1|p|a|small|strong)\b[^<]*)>$/;
  const strange: string[] = [];
  for (const mail of await kith.mails()) {
    const [, page = ""] = mail.split(/^Content-Type: text\/html[^]*?\n\n/im);
    const [whole = "", ...rest] = page.split("</html>");
    if (rest.length === 0) strange.push(page);
    strange.push(...(whole.match(/<[^>]*>/g) ?? []).filter((tag) => !known.test(tag)));
    const links = [...whole.matchAll(/href="([^"]*)"/g)].map(([, to = ""]) => to);
    strange.push(...links.filter((to) => !to.startsWith(`${kith.url}/`) && to !== kith.url));
  }
  expect(strange).toEqual([]);
  const session = writers[0]?.session;
  if (!session) throw new Error("Nobody wrote.");
  await done(session, "POST /api/account/export");
  const state = async () =>
    (await done<{ state: string }>(session, "GET /api/account/export")).state;
  await expect.poll(state, { timeout: 60_000 }).toBe("ready");
  const file = await session.fetch("/api/account/export/file", {});
  expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(file.headers.get("content-type")).toBe("application/zip");
  const names = namesIn(file.body);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(name).toMatch(/\.(?:json|txt|webp)$/);
}

/** The names in the directory of a ZIP file. */
function namesIn(zip: Buffer): string[] {
  const names: string[] = [];
  for (
    let at = zip.indexOf("PK\u0001\u0002");
    at >= 0;
    at = zip.indexOf("PK\u0001\u0002", at + 46)
  ) {
    names.push(zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28)));
  }
  return names;
}
