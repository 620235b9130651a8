import { prefersReducedData } from "@/lib/hooks/use-media-query";
import { prefetchOverlays } from "@/ui/lazy-overlay";
import { findScreen, landing, memberScreens, type Screen } from "./screens";

const IDLE_MS = 3_000;
const prefetchableScreens = memberScreens.filter(({ isModeratorOnly }) => !isModeratorOnly);

/**
 * Prefetches the code and data of other screens: the target of a link on hover,
 * and the rest when idle. With data saving, only the target of a pressed link.
 */
export function prefetchScreens(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  addEventListener("pointerdown", prefetchLinkTarget, { signal });
  if (!prefersReducedData()) {
    addEventListener("pointerover", prefetchLinkTarget, { signal });
    addEventListener("focusin", prefetchLinkTarget, { signal });
    const timer = setTimeout(prefetchRemaining, IDLE_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
  }
  return () => controller.abort();
}

function prefetchLinkTarget({ target }: Event): void {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[href]");
  if (link && link.origin === location.origin && link.pathname !== location.pathname) {
    const screen = findScreen(prefetchableScreens, link.pathname);
    if (screen) void prefetchScreen(screen);
  }
}

async function prefetchScreen({ path, module }: Screen): Promise<void> {
  try {
    const { prefetch } = await module.load();
    if (!path.test(location.pathname)) await prefetch?.();
  } catch {
    // The screen shows its own error when it is opened.
  }
}

function prefetchRemaining(): void {
  prefetchOverlays();
  for (const screen of [landing, ...prefetchableScreens]) void prefetchScreen(screen);
}
