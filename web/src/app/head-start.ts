import { queryClient } from "@/api/query-client";
import { meQuery } from "@/api/session";
import type { Code } from "@/lib/code";
import { wasMember } from "@/lib/member-hint";
import { fetchDialogs } from "@/ui/dialog-code";
import { code, loadUserMenu } from "./screen-code";

type Screens = readonly [address: RegExp, code: Code<unknown>][];

/** The code of the screens that all can see, by the addresses that show them. */
const open: Screens = [
  [/^\/auth\/verify$/, code.verify],
  [/^\/account\/confirm$/, code.confirmEmail],
  [/^\/terms$/, code.terms],
  [/^\/privacy$/, code.privacy],
];

/** The code of the screens of members. */
const screens: Screens = [
  [/^\/post\//, code.thread],
  [/^\/profile\/[^/]+$/, code.profile],
  [/^\/profile\/[^/]+\/./, code.followList],
  [/^\/tag\//, code.tag],
  [/^\/discover$/, code.discover],
  [/^\/notifications$/, code.notifications],
  [/^\/invites$/, code.invites],
  [/^\/settings$/, code.settings],
];
/** The code of the screens of moderators, which nobody needs ahead. */
const staff: Screens = [[/^\/admin$/, code.admin]];
const IDLE = 3_000;
const BLINK = 300;

/**
 * Begins to fetch what will most likely be needed. Done when the first screen can be shown whole;
 * if that takes longer than a blink, what can be shown until then should be.
 */
export async function headStart(): Promise<void> {
  const coming: Promise<unknown>[] = loadHere(open);
  if (coming.length === 0) {
    coming.push(queryClient.prefetchQuery(meQuery));
    if (wasMember()) coming.push(...loadHere([...screens, ...staff]), memberWithData());
    else coming.push(code.landing.load());
  }
  const blink = new Promise((resolve) => setTimeout(resolve, BLINK));
  await Promise.race([Promise.allSettled(coming), blink]);
}

function loadHere(among: Screens): Promise<unknown>[] {
  const here = among.filter(([address]) => address.test(location.pathname));
  return here.map(([, screen]) => screen.load());
}

async function memberWithData(): Promise<void> {
  const { fetchFirstData } = await code.member.load();
  await fetchFirstData();
}

/** Fetches the code of dialogs and of the other screens once nothing else is to do, so that they open at once. */
export function fetchAhead(): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => undefined;
  const timer = setTimeout(() => {
    fetchDialogs();
    for (const wayOut of [loadUserMenu, code.landing.load]) wayOut().catch(() => undefined);
    // Whoever needs it then will say that it cannot be reached.
    for (const [, screen] of screens) screen.load().catch(() => undefined);
  }, IDLE);
  return () => clearTimeout(timer);
}
