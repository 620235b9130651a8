import { useSyncExternalStore } from "react";
import { createStore } from "./store";

interface ToggleHandlers {
  /** Asks the server to toggle what `key` names. */
  send: (key: string, on: boolean) => Promise<void>;
  /** Writes what the server has accepted into the cache. */
  confirm: (key: string, on: boolean) => void;
}

interface Toggle {
  on: boolean;
  onFail: (error: unknown) => void;
}

/**
 * Allows a member to toggle something as fast as they like. The last request shows immediately; the
 * requests for one key never overlap, and those made while one is under way collapse into the last of them.
 */
export function createToggleQueue({ send, confirm }: ToggleHandlers) {
  const toggles = createStore<ReadonlyMap<string, Toggle>>(new Map());
  const requested = (key: string) => toggles.get().get(key)?.on;

  function drop(key: string): Toggle | undefined {
    const rest = new Map(toggles.get());
    const dropped = rest.get(key);
    rest.delete(key);
    toggles.set(rest);
    return dropped;
  }

  return {
    requested,
    /** The state that the member requested for `key` while the server has another; otherwise undefined. */
    useRequested: (key: string) => useSyncExternalStore(toggles.subscribe, () => requested(key)),
    /** Toggles `key`, which the server has as `confirmed`; only the last `onFail` of a key is called. */
    async set(
      key: string,
      on: boolean,
      confirmed: boolean,
      onFail: Toggle["onFail"],
    ): Promise<void> {
      const isRunning = toggles.get().has(key);
      if (!isRunning && on === confirmed) return;
      toggles.set(new Map([...toggles.get(), [key, { on, onFail }]]));
      if (isRunning) return;
      try {
        for (let sent = confirmed, next = on; next !== sent; next = requested(key) ?? sent) {
          await send(key, next);
          confirm(key, next);
          sent = next;
        }
        drop(key);
      } catch (error) {
        drop(key)?.onFail(error);
      }
    },
  };
}
