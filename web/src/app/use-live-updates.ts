import { useEffect } from "react";
import { useCurrentUser } from "@/api/auth";
import { setAppBadge } from "@/lib/dom/app-badge";
import { lazyModule } from "@/lib/state/lazy-module";
import { useNetworkIdle } from "./use-network-idle";

const liveUpdates = lazyModule(() => import("@/api/live/live-updates"));

/** Keeps the numbers on screen up to date, once the first screen has loaded. */
export function useLiveUpdates(): void {
  const { id, unreadNotificationCount } = useCurrentUser();
  const isIdle = useNetworkIdle();
  useEffect(() => setAppBadge(unreadNotificationCount), [unreadNotificationCount]);
  useEffect(() => {
    if (!isIdle) return undefined;
    let stop: (() => void) | undefined;
    let isOver = false;
    // Without its code the page stays as it is until it is opened again.
    liveUpdates.load().then(
      ({ startLiveUpdates }) => {
        if (!isOver) stop = startLiveUpdates(id);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [id, isIdle]);
}
