import { createStore, useStore } from "./store";

const TICK = 30_000;
const clock = createStore(Date.now());
setInterval(() => clock.set(Date.now()), TICK);

/** The time in milliseconds, renewed twice a minute for all ages on screen. */
export function useNow(): number {
  return useStore(clock);
}
