import { type Browser, expect } from "@playwright/test";
import type { Kith } from "../server";
import {
  getDecisionSteps,
  makeDrafts,
  getListSteps,
  moderate,
  getPageSteps,
  type PayloadPair,
  writeAll,
} from "./written-payloads";
import { requestJson, logIn, type Writer, makeNewEmails, makeUnverifiedEmails } from "./requests";
import { openScreen, type Screen } from "./screen";
import type { Session } from "./session";
import { getScriptPaths, scriptUrls } from "./sweep";

/** The members of the test. The founder and the writers follow each other. */
export interface Participants {
  kith: Kith;
  founder: Session;
  /** The founder's id. */
  me: string;
  writers: readonly Writer[];
  /** Has many devices and email changes, and vouches for many emails. */
  accountOwner: Writer;
  /** The target of moderators' actions. */
  target: Writer;
}

/** Saves payloads in the fields of members and moderators, and checks the screens of the founder. */
export async function checkMemberContent(
  browser: Browser,
  participants: Participants,
  words: readonly PayloadPair[],
): Promise<void> {
  const { kith, founder, me, writers, target } = participants;
  const body = { content: `Here are ${words.length} strange texts` };
  const { id: root } = await requestJson(founder, "POST /api/posts", { body });
  const written = await writeAll(writers, words, root);
  const screen = await openScreen(browser, kith, founder);
  await screen.check(getListSteps(written, root));
  await screen.check(getListSteps(written, root).slice(0, 1));
  await screen.run(
    "descriptions",
    written.map(({ alt }) => alt),
  );
  await screen.page.evaluate(
    (kept) => kept.forEach(([name, draft]) => localStorage.setItem(name, draft)),
    makeDrafts(me, written),
  );
  await screen.check(getPageSteps(written));
  await moderate(founder, target, written);
  const muted = written.map(({ by }) => ({ path: { userId: by.id } }));
  for (const path of muted) await requestJson(founder, "POST /api/mutes/{userId}", path);
  await screen.check(getDecisionSteps(written));
  for (const path of muted) await requestJson(founder, "DELETE /api/mutes/{userId}", path);
  await screen.close();
  const [author] = writers;
  if (!author) throw new Error("There is no author.");
  const noticed = await openScreen(browser, kith, author.session);
  await noticed.check([{ path: "/settings/notices" }]);
  await noticed.close();
}

/** Checks devices, a pending email change, vouches, and messages of the server. */
export async function checkAccountContent(
  browser: Browser,
  { kith, accountOwner }: Participants,
  words: readonly PayloadPair[],
  mailed: readonly string[],
): Promise<void> {
  for (const { text } of words) {
    await logIn(kith, await kith.signInLink(accountOwner.username), text);
  }
  const session = await logIn(kith, await kith.signInLink(accountOwner.username));
  const devices = await requestJson<{ name: string }[]>(session, "GET /api/auth/sessions");
  expect(devices.length).toBeGreaterThan(words.length);
  for (const { name } of devices) expect(name).toMatch(/^[A-Z]\w+(?: \w+)*$/);
  const screen = await openScreen(browser, kith, session);
  for (const email of makeNewEmails(mailed)) {
    await requestJson(session, "POST /api/account/email", { body: { email } });
    const away = { path: "/invites", title: "Invite Friends · Kith" };
    await screen.check([{ path: "/settings", shows: [email] }, away]);
    await requestJson(session, "DELETE /api/account/email");
  }
  await screen.run("send", "Your friend's email", makeUnverifiedEmails(mailed));
  const texts = words.map(({ text }) => text);
  await screen.run("reject", "Your friend's email", texts);
  await screen.close();
}

/** Joins the waitlist and requests login links as a visitor. */
export async function checkVisitorForms(
  { page, check, run }: Screen,
  mailed: readonly string[],
): Promise<void> {
  for (const [at, email] of makeUnverifiedEmails(mailed).entries()) {
    // Most are sent directly, because the form takes one email per page load.
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
  await run("send", "Email", mailed, "Back to login");
  await check([{ press: "Close" }]);
}

/** Types each text into every field of every screen. */
export async function checkTyping(
  browser: Browser,
  { kith, founder, writers }: Participants,
  texts: readonly string[],
): Promise<void> {
  const [writer] = writers;
  const screen = await openScreen(browser, kith, founder);
  const { page, check, run } = screen;
  const forms: [path: string, press: string, fields: number][] = [
    ["/", "Add poll", 3],
    ["/discover", "", 1],
    ["/profile/founder", "Edit Profile", 3],
    ["/admin?tab=members", `Suspend: @${writer?.username}`, 4],
    ["/invites", "", 1],
    ["/settings", "Delete my account", 2],
  ];
  for (const [path, press, fields] of forms) {
    await check([press === "" ? { path } : { path, press }]);
    await run("type", texts, fields);
    await page.goto("/");
  }
  await page.goto(`/profile/${writer?.username}`);
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: /^Report/ }).click();
  await run("type", texts, 1);
  await screen.close();
  const visitor = await openScreen(browser, kith);
  await visitor.check([{ press: "Login" }]);
  await visitor.run("type", texts, 3);
  await visitor.close();
}

/** Opens every URL of the app with a payload in each part, by navigation and as a link. */
export async function checkUrls(
  browser: Browser,
  { kith, founder }: Participants,
  texts: readonly string[],
): Promise<void> {
  const screen = await openScreen(browser, kith, founder);
  const visitor = await openScreen(browser, kith);
  for (const text of texts) await screen.check(getScriptPaths(text));
  // Properties of every object are no routes of the app.
  for (const name of ["constructor", "__proto__", "a%0Ab", "tag/a%0Ab"])
    await openLink(screen, `${kith.url}/${name}`);
  for (const [at, text] of texts.entries()) {
    const address = kith.url + scriptUrls[at % scriptUrls.length]?.(text);
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

/** Checks that emails and exports contain no HTML of members. */
export async function checkMailsAndExports({ kith, writers }: Participants): Promise<void> {
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
  if (!session) throw new Error("There is no author.");
  await requestJson(session, "POST /api/account/export");
  const state = async () =>
    (await requestJson<{ state: string }>(session, "GET /api/account/export")).state;
  await expect.poll(state, { timeout: 60_000 }).toBe("ready");
  const file = await session.fetch("/api/account/export/file", {});
  expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(file.headers.get("content-type")).toBe("application/zip");
  const names = readZipNames(file.body);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(name).toMatch(/\.(?:json|txt|webp)$/);
}

/** The names in the directory of a ZIP file. */
function readZipNames(zip: Buffer): string[] {
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
