import { discardPreloaded } from "@/api/preloaded-requests";
import { queryKeys } from "@/api/query-keys";
import { queryClient } from "@/api/query-client";
import { currentUserQuery } from "@/api/auth";
import type { Me } from "@/api/types";
import { showInitialShell, isAuthenticatedShellShown } from "./initial-shell";
import { findScreen, landing, memberCode, memberScreens, openScreens } from "./screens";

const BLINK = 300;

/**
 * Fetches what the first screen needs. Done when it can be shown whole; data is waited for no longer
 * than a blink, since the screen has places for it. Until then the page shows what it came with.
 */
export async function headStart(): Promise<void> {
  const open = findScreen(openScreens, location.pathname);
  if (open) return settle(open.code.load());
  const guessed = isAuthenticatedShellShown() ? fetchMember() : settle(landing.code.load());
  await queryClient.prefetchQuery(currentUserQuery);
  const me = queryClient.getQueryData<Me | null>(queryKeys.currentUser);
  if (me === undefined) return;
  if (Boolean(me) === isAuthenticatedShellShown()) return guessed;
  showInitialShell(Boolean(me));
  await (me ? fetchMember() : settle(landing.code.load()));
}

async function fetchMember(): Promise<void> {
  const here = findScreen(memberScreens, location.pathname);
  const code = settle(memberCode.load(), here?.code.load());
  const data = settle(
    here?.code.load().then(({ loadFirst }) => fetchFirst(loadFirst, here.params)),
  );
  void data.then(discardPreloaded);
  await code;
  await Promise.race([data, new Promise((resolve) => setTimeout(resolve, BLINK))]);
}

/** `start.js` has sent the same requests already. If they fail, the screen sends them again. */
async function fetchFirst(
  load: ((params: never) => Promise<unknown>) | undefined,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  // Another tab than the first fetches its own; and by now it may be known that no member is logged in.
  if (!load || location.search || !isAuthenticatedShellShown()) return;
  const decoded = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]);
  await load(Object.fromEntries(decoded) as never);
}

async function settle(...coming: (Promise<unknown> | undefined)[]): Promise<void> {
  await Promise.allSettled(coming);
}
