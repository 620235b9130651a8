import openapi from "../src/api/openapi.json" with { type: "json" };
import { type Description, findFreeTextFields } from "./scripts/fields";
import { choosePayloads, ELSEWHERE, payloads } from "./scripts/payloads";
import {
  makeEmails,
  requestJson,
  mapConcurrently,
  signUpWriters,
  logIn,
  triedFields,
  makeUnverifiedEmails,
} from "./scripts/requests";
import {
  checkUrls,
  checkMailsAndExports,
  checkMemberContent,
  checkAccountContent,
  checkTyping,
  checkVisitorForms,
} from "./scripts/checks";
import { openScreen } from "./scripts/screen";
import { saveSiteTexts, sendToUnshownFields } from "./scripts/sweep";
import { startKith } from "./server";
import { expect, test } from "./test";

/** The number of payloads per field: a few, or the rounds of `cargo xtask prove scripts`. */
const SCRIPTS = Number(process.env["KITH_PROOF_ROUNDS"] ?? 2);
/** Prints the progress of a long run. */
function say(words: string): void {
  if (SCRIPTS > 10) console.log(`${new Date().toISOString()} ${words}`);
}
/** The number of payloads per screen; a list of devices has few more rows. */
const MOST = 45;

// proves: safe-scripts
test("no script in any field runs on any screen", async ({ browser }) => {
  test.setTimeout(180_000 + SCRIPTS * 20_000);
  const kith = await startKith("--rate-limits=off");
  const size = Math.min(MOST, SCRIPTS);
  const founder = await logIn(kith, kith.founderLink);
  const { id: me } = await requestJson(founder, "GET /api/auth/me");
  const [accountOwner, target, ...writers] = await signUpWriters(kith, size + 2);
  if (!accountOwner || !target) throw new Error("No members were created.");
  await mapConcurrently(writers, 4, async ({ session, id }) => {
    await requestJson(founder, "POST /api/follows", { body: { followingId: id } });
    await requestJson(session, "POST /api/follows", { body: { followingId: me } });
  });
  const participants = { kith, founder, me, writers, accountOwner, target };
  const texts = choosePayloads(140, SCRIPTS);
  const names = choosePayloads(50, SCRIPTS);
  const mailed = makeEmails(SCRIPTS);
  const listed: string[] = [];
  const visitor = await openScreen(browser, kith);
  for (let from = 0; from < SCRIPTS; from += size) {
    const part = texts.slice(from, from + size);
    const words = part.map((text, at) => ({ text, name: names[from + at] ?? "" }));
    await checkMemberContent(browser, participants, words);
    say(`${from + part.length} scripts were written and seen`);
    await checkAccountContent(browser, participants, words, mailed.slice(from, from + size));
    await checkVisitorForms(visitor, mailed.slice(from, from + size));
    listed.push(...makeUnverifiedEmails(mailed.slice(from, from + size)));
    say("and sent as addresses and devices");
  }
  await visitor.close();
  await sendToUnshownFields(accountOwner.session, founder, texts);
  await saveSiteTexts(founder, texts, names);
  say("sweep is done");
  const screen = await openScreen(browser, kith, founder);
  await screen.check([{ path: "/admin?tab=waitlist", shows: listed }]);
  await screen.close();
  await checkTyping(browser, participants, texts);
  say("typing is done");
  await checkUrls(browser, participants, texts);
  say("checkUrls is done");
  await checkMailsAndExports(participants);
  say("checkMailsAndExports is done");
  const fields = findFreeTextFields(openapi as unknown as Description, payloads);
  expect(fields.filter((field) => !triedFields.has(field))).toEqual([]);
  await kith.stop();
});

/** Injected markup, and the incidents that the watcher records with and without the content security policy. */
const canaries: [markup: string, stopped: RegExp, done: RegExp][] = [
  ["<img src=x onerror=hit(1)>", /^policy: script-src/, /^ran: /],
  ["<img src=x onerror=alert(1)>", /^policy: script-src/, /^dialog: 1/],
  [`<img src=${ELSEWHERE}/x.png>`, /^policy: img-src/, /^request: .*evil/],
  ["<style>*{color:red}</style>", /^policy: style-src/, /./],
  [`<iframe src=${ELSEWHERE}></iframe>`, /^policy: frame-src/, /^a frame: /],
  [`<img src=x onerror=window.open('/terms')>`, /^policy: script-src/, /^opened: /],
  [`<img src=x onerror=location='http:${ELSEWHERE}'>`, /^policy: script-src/, /^request: .*evil/],
];

for (const isOn of [true, false]) {
  // proves: safe-scripts
  test(`the watcher notices a script, with the policy ${isOn ? "on" : "off"}`, async ({
    browser,
    kith,
  }) => {
    const screen = await openScreen(browser, kith, undefined, { bypassCSP: !isOn });
    await expect(screen.page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(screen.noticed).toEqual([]);
    for (const [markup, stopped, acted] of canaries) {
      const before = screen.noticed.length;
      const wanted = isOn ? stopped : acted;
      const looked = screen.page.evaluate(async (inserted) => {
        const element = document.createElement("div");
        element.innerHTML = inserted;
        document.body.append(element);
        const found = await window.pageChecker.visit([{}]);
        element.remove();
        return found.join();
      }, markup);
      // After a navigation the page cannot be checked.
      if (isOn || !markup.includes("location")) expect(await looked, markup).toContain("holds");
      else await looked.catch(() => undefined);
      // Only the page checker notices style sheets.
      if (!isOn && markup.includes("style")) continue;
      const isNoticed = () => screen.noticed.slice(before).some((one) => wanted.test(one));
      await expect.poll(isNoticed, markup).toBe(true);
    }
    await screen.close();
  });
}
