import { useEffectEvent, useLayoutEffect, useState } from "react";
import type { AroundNavHandler } from "wouter";
import { restoreFocus } from "@/lib/dom/focus";

/*
 * Every open overlay (dialog, drawer, menu) has a history entry above its page's entry, so that Back
 * closes the overlay instead of leaving the page. An entry notes how many overlays it is for, and `sync`
 * makes the current entry match the overlays that are open.
 */

/** The open overlays, each by its handler for Back, which may leave it open. */
const openOverlays: (() => void)[] = [];
/** Callbacks for the page's own history entry, below those of overlays. */
const pageEntryQueue: (() => void)[] = [];
/** Milliseconds after which a traversal is taken to be dropped: another navigation cancels it. */
const TRAVERSAL_TIMEOUT_MS = 1_000;
/** Set while the history is on its way to another entry because of `sync`. */
let traversal: ReturnType<typeof setTimeout> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Makes Back close an overlay instead of leaving the page. The props go to its content: they return the
 * focus, since overlays are opened by state and their primitives know no trigger.
 */
export function useOverlay(onBack: () => void) {
  const back = useEffectEvent(onBack);
  useLayoutEffect(() => {
    const overlay = () => back();
    openOverlays.push(overlay);
    sync();
    return () => {
      const at = openOverlays.indexOf(overlay);
      if (at === -1) return;
      openOverlays.splice(at, 1);
      scheduleSync();
    };
  }, []);
  const [opener] = useState(() => document.activeElement);
  return {
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      restoreFocus(opener);
    },
  };
}

/** Runs `act` at the page's own history entry: immediately, or once the entries of overlays are gone. */
export function runAtPageEntry(callback: () => void): void {
  pageEntryQueue.push(callback);
  sync();
}

/** Goes back to the page before this one, whatever is open above this one. */
export function goBack(): void {
  closeOverlays();
  runAtPageEntry(() => history.back());
}

/** Before this document is left: what closes meanwhile must not move the history and cancel that. */
export function detachOverlays(): void {
  openOverlays.length = 0;
  clearTimeout(timer);
  timer = undefined;
}

/** Navigates from the page's own entry, so that Back returns to the page and not to a closed overlay. */
export const navigateFromPage: AroundNavHandler = (navigate, to, options) => {
  if (!options?.replace) closeOverlays();
  const state: unknown = options?.state;
  const stateOptions = typeof state === "object" &&
    state !== null && { state: { ...state, overlays: 0 } };
  runAtPageEntry(() => navigate(to, { ...options, ...stateOptions }));
};

/** Listens to Back and Forward. A reload closes what was open, so its entries go now. */
export function listenToHistory(): void {
  addEventListener("popstate", () => {
    if (traversal !== undefined) return endTraversal();
    for (const onBack of openOverlays.slice(getEntryDepth()).toReversed()) onBack();
    // An overlay may stay open, and Forward may have led to the entry of a closed one.
    scheduleSync();
  });
  sync();
}

/** Syncs later, since React may remove an overlay and add it again, or another one in its place. */
function scheduleSync(): void {
  timer ??= setTimeout(sync);
}

function sync(): void {
  clearTimeout(timer);
  timer = undefined;
  if (traversal !== undefined) return;
  const surplus = getEntryDepth() - (pageEntryQueue.length > 0 ? 0 : openOverlays.length);
  if (surplus > 0) {
    traversal = setTimeout(endTraversal, TRAVERSAL_TIMEOUT_MS);
    history.go(-surplus);
    return;
  }
  for (const callback of pageEntryQueue.splice(0)) callback();
  for (let overlays = getEntryDepth() + 1; overlays <= openOverlays.length; overlays += 1) {
    history.pushState({ ...(history.state as object | null), overlays }, "");
  }
}

function endTraversal(): void {
  clearTimeout(traversal);
  traversal = undefined;
  sync();
}

/** Closes everything without waiting whether it does close. */
export function closeOverlays(): void {
  for (const onBack of openOverlays.splice(0).toReversed()) onBack();
  scheduleSync();
}

/** For how many overlays the current history entry is. */
const getEntryDepth = () => (history.state as { overlays?: number } | null)?.overlays ?? 0;
