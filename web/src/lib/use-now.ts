import { useSyncExternalStore } from "react";

const TICK = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    // A new time for its own sake would render everything on screen twice before it is painted.
    if (Date.now() - now >= TICK) now = Date.now();
    timer = setInterval(tick, TICK);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The time in milliseconds, renewed twice a minute by one timer that all ages on screen share. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
