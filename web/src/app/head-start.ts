import { wasMember } from "@/lib/member-hint";

type Load = () => Promise<unknown>;

/** The code of the screens that are not part of the first load, by the addresses that show them. */
const screens: readonly [address: RegExp, load: Load][] = [
  [/^\/post\//, () => import("@/screens/thread")],
  [/^\/profile\/[^/]+$/, () => import("@/screens/profile")],
  [/^\/profile\/[^/]+\/./, () => import("@/screens/follow-list")],
  [/^\/tag\//, () => import("@/screens/tag")],
  [/^\/notifications$/, () => import("@/screens/notifications")],
  [/^\/invites$/, () => import("@/screens/invites")],
  [/^\/settings$/, () => import("@/screens/settings")],
];
const IDLE = 3_000;

/** Begins to fetch the code that will most likely be needed while it is asked who is logged in. */
export function headStart(): void {
  if (!wasMember()) return fetchQuietly([() => import("@/screens/landing")]);
  const here = screens.filter(([address]) => address.test(location.pathname));
  fetchQuietly([() => import("./member"), ...here.map(([, load]) => load)]);
}

/** Fetches the code of the other screens once nothing else is to do, so that they open at once. */
export function fetchAhead(): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => undefined;
  const timer = setTimeout(() => fetchQuietly(screens.map(([, load]) => load)), IDLE);
  return () => clearTimeout(timer);
}

function fetchQuietly(loads: readonly Load[]): void {
  // Whoever needs it then will say that it cannot be reached.
  for (const load of loads) void load().catch(() => undefined);
}
