/** What a toggle does to the world; `key` names the thing that is toggled. */
export interface ToggleEffects {
  /** Tells the server. A rejection drops the wish. */
  send(key: string, on: boolean): Promise<void>;
  /** Writes what the server has accepted into the cached truth. */
  confirm(key: string, on: boolean): void;
}

interface Entry {
  wish: boolean;
  known: boolean;
  onFail: (error: unknown) => void;
}

/**
 * Lets a member toggle something as fast as they like. The last wish shows at once; requests for
 * one key never overlap; wishes made while one is under way collapse into the last of them.
 */
export class ToggleQueue {
  readonly #effects: ToggleEffects;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();

  constructor(effects: ToggleEffects) {
    this.#effects = effects;
  }

  /** Wishes `key` on or off; `known` is the server's last word, `onFail` hears of a refusal. */
  set(key: string, wish: boolean, known: boolean, onFail: (error: unknown) => void): void {
    const running = this.#entries.get(key);
    if (running) {
      running.wish = wish;
      running.onFail = onFail;
      this.#notify();
      return;
    }
    if (wish === known) return;
    const entry = { wish, known, onFail };
    this.#entries.set(key, entry);
    this.#notify();
    void this.#drain(key, entry);
  }

  /** What the member wishes for `key`, while the server has not caught up; otherwise undefined. */
  wish(key: string): boolean | undefined {
    return this.#entries.get(key)?.wish;
  }

  /** Calls `listener` whenever any wish changes; answers the way to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async #drain(key: string, entry: Entry): Promise<void> {
    try {
      while (entry.wish !== entry.known) {
        const on = entry.wish;
        await this.#effects.send(key, on);
        entry.known = on;
        this.#effects.confirm(key, on);
      }
      this.#drop(key);
    } catch (error) {
      this.#drop(key);
      entry.onFail(error);
    }
  }

  #drop(key: string): void {
    this.#entries.delete(key);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
