import { discardPreloaded } from "@/api/preloaded-requests";
import { queryKeys } from "@/api/query-keys";
import { queryClient } from "@/api/query-client";
import { currentUserQuery } from "@/api/auth";
import type { Me } from "@/api/types";
import { showInitialShell, isAuthenticatedShellShown } from "./initial-shell";
import {
  findScreen,
  landing,
  authenticatedAppModule,
  memberScreens,
  publicScreens,
} from "./screens";

const MAX_DATA_WAIT_MS = 300;

/**
 * Fetches the code and data of the first screen. Waits for data at most 300 ms, because the screen has
 * placeholders for it. Until then the page shows its prerendered first screen.
 */
export async function preloadInitialScreen(): Promise<void> {
  const publicScreen = findScreen(publicScreens, location.pathname);
  if (publicScreen) return allSettled(publicScreen.module.load());
  const preloading = isAuthenticatedShellShown()
    ? preloadAuthenticatedScreen()
    : allSettled(landing.module.load());
  await queryClient.prefetchQuery(currentUserQuery);
  const currentUser = queryClient.getQueryData<Me | null>(queryKeys.currentUser);
  if (currentUser === undefined) return;
  if (Boolean(currentUser) === isAuthenticatedShellShown()) return preloading;
  showInitialShell(Boolean(currentUser));
  await (currentUser ? preloadAuthenticatedScreen() : allSettled(landing.module.load()));
}

async function preloadAuthenticatedScreen(): Promise<void> {
  const screen = findScreen(memberScreens, location.pathname);
  const modules = allSettled(authenticatedAppModule.load(), screen?.module.load());
  const data = allSettled(
    screen?.module.load().then(({ preload }) => preloadData(preload, screen.params)),
  );
  void data.then(discardPreloaded);
  await modules;
  await Promise.race([data, new Promise((resolve) => setTimeout(resolve, MAX_DATA_WAIT_MS))]);
}

/** `start.js` has sent the same requests already. If they fail, the screen sends them again. */
async function preloadData(
  load: ((params: never) => Promise<unknown>) | undefined,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  // Another tab than the first fetches its own; and by now it may be known that no member is logged in.
  if (!load || location.search || !isAuthenticatedShellShown()) return;
  const decoded = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]);
  await load(Object.fromEntries(decoded) as never);
}

async function allSettled(...promises: (Promise<unknown> | undefined)[]): Promise<void> {
  await Promise.allSettled(promises);
}
