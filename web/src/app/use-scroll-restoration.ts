import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "wouter";
import { queryKeys } from "@/api/query-keys";
import { recordLoadedPages } from "@/api/paginated-query";
import { queryClient } from "@/api/query-client";
import type { Me } from "@/api/types";
import { clearSavedScroll, persistSavedScroll } from "@/lib/navigation/saved-scroll";
import { getHintedUserId } from "@/lib/storage/session-hint";
import {
  restoreScroll,
  saveScrollPosition,
  getRowInView,
} from "@/lib/navigation/scroll-restoration";

/** Keeps for after a reload where the member is, and how much of each list is loaded. */
function persistScrollForReload(): void {
  const user = queryClient.getQueryData<Me | null>(queryKeys.currentUser);
  if (!user || getHintedUserId() !== user.id) return clearSavedScroll();
  // At the top there is no row to hold: what a reload adds above the list must be in sight.
  saveScrollPosition(scrollY > 0 ? getRowInView() : undefined);
  recordLoadedPages();
  persistSavedScroll(user.id);
}

/**
 * A new page starts at its beginning; a reload, going back or forward returns to where the reader was. Lists come
 * from the cache at once, so the place is there when the page is.
 */
export function useScrollRestoration(): void {
  const [path] = useLocation();
  useLayoutEffect(() => {
    history.scrollRestoration = "manual";
    restoreScroll(path);
  }, [path]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener("scroll", () => saveScrollPosition(), { passive: true, signal });
    addEventListener("pagehide", persistScrollForReload, { signal });
    // Phones may end a page in the background without an event.
    const persistIfHidden = () => document.hidden && persistScrollForReload();
    document.addEventListener("visibilitychange", persistIfHidden, { signal });
    return () => controller.abort();
  }, []);
}
