import { prefersReducedData } from "@/lib/hooks/use-media-query";
import { prefetchOverlays } from "@/ui/lazy-overlay";
import { findScreen, landing, memberScreens, type Screen } from "./screens";

const IDLE = 3_000;
const screens = memberScreens.filter(({ isForStaff }) => !isForStaff);

/**
 * Fetches what other screens need before they are opened: what a link leads to once it is pointed at,
 * and the rest once nothing else is to do. With little data to spend, only what is pressed.
 */
export function fetchAhead(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  addEventListener("pointerdown", fetchTarget, { signal });
  if (!prefersReducedData()) {
    addEventListener("pointerover", fetchTarget, { signal });
    addEventListener("focusin", fetchTarget, { signal });
    const timer = setTimeout(fetchRest, IDLE);
    signal.addEventListener("abort", () => clearTimeout(timer));
  }
  return () => stop.abort();
}

function fetchTarget({ target }: Event): void {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[href]");
  if (link && link.origin === location.origin && link.pathname !== location.pathname) {
    const screen = findScreen(screens, link.pathname);
    if (screen) void fetchScreen(screen);
  }
}

async function fetchScreen({ path, code }: Screen): Promise<void> {
  try {
    const { loadAhead } = await code.load();
    if (!path.test(location.pathname)) await loadAhead?.();
  } catch {
    // A screen that is opened says itself what cannot be reached.
  }
}

function fetchRest(): void {
  prefetchOverlays();
  for (const screen of [landing, ...screens]) void fetchScreen(screen);
}
