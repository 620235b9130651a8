import { createStore, useStore } from "@/lib/state/store";

const TICK_MS = 30_000;
const clock = createStore(Date.now());
setInterval(() => clock.set(Date.now()), TICK_MS);

/** The time in milliseconds, renewed twice a minute for all ages on screen. */
export function useNow(): number {
  return useStore(clock);
}
