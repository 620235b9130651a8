import openapi from "../src/api/openapi.json" with { type: "json" };
import { type Description, freeTexts } from "./scripts/fields";
import { chosen, ELSEWHERE, payloads } from "./scripts/payloads";
import { asAddresses, done, inTurns, letIn, logIn, tried, unproven } from "./scripts/people";
import { addressBar, afterwards, members, ownAffairs, typing, visits } from "./scripts/rounds";
import { openScreen } from "./scripts/screen";
import { nameNetwork, sweep } from "./scripts/sweep";
import { startKith } from "./server";
import { expect, test } from "./test";

/** How many scripts are tried in each field: a few, or as many as `cargo xtask prove scripts` says. */
const SCRIPTS = Number(process.env["KITH_PROOF_ROUNDS"] ?? 3);
/** Says how far a long run is. */
function say(words: string): void {
  if (SCRIPTS > 10) console.log(`${new Date().toISOString()} ${words}`);
}
/** How many stand on a screen. A list of devices has room for few more. */
const MOST = 45;

// proves: safe-scripts
test("no script in any field runs on any screen", async ({ browser }) => {
  test.setTimeout(180_000 + SCRIPTS * 20_000);
  const kith = await startKith("--rate-limits=off");
  const size = Math.min(MOST, SCRIPTS);
  const founder = await logIn(kith, kith.founderLink);
  const { id: me } = await done(founder, "GET /api/auth/me");
  const [keeper, target, ...writers] = await letIn(kith, size + 2);
  if (!keeper || !target) throw new Error("Nobody was let in.");
  await inTurns(writers, 4, async ({ session, id }) => {
    await done(founder, "POST /api/follows", { body: { followingId: id } });
    await done(session, "POST /api/follows", { body: { followingId: me } });
  });
  const cast = { kith, founder, me, writers, keeper, target };
  const texts = chosen(140, SCRIPTS);
  const names = chosen(50, SCRIPTS);
  const mailed = asAddresses(SCRIPTS);
  const listed: string[] = [];
  const visitor = await openScreen(browser, kith);
  for (let from = 0; from < SCRIPTS; from += size) {
    const part = texts.slice(from, from + size);
    const words = part.map((text, at) => ({ text, name: names[from + at] ?? "" }));
    await members(browser, cast, words);
    say(`${from + part.length} scripts were written and seen`);
    await ownAffairs(browser, cast, words, mailed.slice(from, from + size));
    await visits(visitor, mailed.slice(from, from + size));
    listed.push(...unproven(mailed.slice(from, from + size)));
    say("and sent as addresses and devices");
  }
  await visitor.close();
  await sweep(keeper.session, founder, texts);
  await nameNetwork(founder, texts, names);
  say("sweep is done");
  const screen = await openScreen(browser, kith, founder);
  await screen.check([{ path: "/admin?tab=waitlist", shows: listed }]);
  await screen.close();
  await typing(browser, cast, texts);
  say("typing is done");
  await addressBar(browser, cast, texts);
  say("addressBar is done");
  await afterwards(cast);
  say("afterwards is done");
  const fields = freeTexts(openapi as unknown as Description, payloads);
  expect(fields.filter((field) => !tried.has(field))).toEqual([]);
  await kith.stop();
});

/** What a script could do that got into a page, and what each of the two is noticed by. */
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
        const place = document.createElement("div");
        place.innerHTML = inserted;
        document.body.append(place);
        const found = await window.looker.visit([{}]);
        place.remove();
        return found.join();
      }, markup);
      // A page that is left is looked at no more.
      if (isOn || !markup.includes("location")) expect(await looked, markup).toContain("holds");
      else await looked.catch(() => undefined);
      // What a style sheet does is seen by nobody but the looker.
      if (!isOn && markup.includes("style")) continue;
      const isNoticed = () => screen.noticed.slice(before).some((one) => wanted.test(one));
      await expect.poll(isNoticed, markup).toBe(true);
    }
    await screen.close();
  });
}
