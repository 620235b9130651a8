import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Draft, OpenDraft } from "./draft";
import { readyImage } from "./invented-image";

interface Change {
  key: string;
  oldValue: string | null;
  newValue: string | null;
}

/** A tab: its draft, and what it has yet to hear of the storage. */
interface Tab {
  draft: OpenDraft;
  unheard: Change[];
  hear: (event: Change) => void;
}

describe("a draft that is open in two tabs", () => {
  let value: string | null;
  let writes: number;
  let isFull: boolean;
  let tabs: Tab[];
  let acting: Tab | undefined;

  beforeEach(() => {
    [value, writes, isFull, tabs] = [null, 0, false, []];
  });
  afterEach(() => vi.unstubAllGlobals());

  function put(key: string, newValue: string | null): void {
    const oldValue = value;
    if (isFull && newValue !== null) throw new Error("QuotaExceededError");
    if (newValue === oldValue) return;
    value = newValue;
    writes += 1;
    for (const tab of tabs) if (tab !== acting) tab.unheard.push({ key, oldValue, newValue });
  }

  async function openTab(): Promise<Tab> {
    const tab = { unheard: [] as Change[], hear: (_event: Change): void => {} };
    vi.stubGlobal("addEventListener", (_: string, hear: Tab["hear"]) => {
      tab.hear = hear;
    });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => (key.startsWith("kith:draft:") ? value : null),
      setItem: put,
      removeItem: (key: string) => put(key, null),
    });
    vi.resetModules();
    const { openDraft } = await import("./draft");
    const whole = Object.assign(tab, { draft: openDraft("1") });
    tabs.push(whole);
    return whole;
  }

  function change(tab: Tab, parts: Partial<Draft>): void {
    acting = tab;
    tab.draft.change(parts);
  }

  function hearOne(tab: Tab): void {
    const event = tab.unheard.shift();
    acting = tab;
    if (event) tab.hear(event);
  }

  /** Lets both hear of everything, and fails when they never come to an end. */
  function settle(): void {
    writes = 0;
    while (tabs.some(({ unheard }) => unheard.length > 0)) {
      tabs.forEach(hearOne);
      expect(writes).toBeLessThan(50);
    }
  }

  const held = ({ draft }: Tab) => draft.store.get();

  // proves: composer-tabs
  it("keeps the images of one and the letters of the other, whoever stores last", async () => {
    const [a, b] = [await openTab(), await openTab()];
    const late = { id: "9", alt: "", ready: null };
    change(a, { text: "a" });
    settle();
    change(b, { text: "abc" });
    change(a, { images: [readyImage("1"), late] });
    settle();
    expect(held(a)).toEqual({ text: "abc", poll: null, images: [readyImage("1"), late] });
    expect(held(b)).toEqual({ text: "abc", poll: null, images: [readyImage("1")] });
    change(a, { images: [...held(a).images, readyImage("2")] });
    change(b, { text: "abcd" });
    settle();
    for (const tab of tabs) expect(held(tab).text).toBe("abcd");
    expect(held(b).images).toEqual([readyImage("1"), readyImage("2")]);
    expect(JSON.parse(value ?? "")).toEqual(held(b));
  });

  // proves: composer-tabs
  it("keeps in each what a full storage did not take", async () => {
    const [a, b] = [await openTab(), await openTab()];
    isFull = true;
    change(b, { text: "a long text" });
    isFull = false;
    change(a, { text: "short" });
    settle();
    expect(held(b).text).toBe("a long text");
    expect(held(a).text).toBe("short");
    change(a, { text: "" });
    settle();
    expect(held(b).text).toBe("a long text");
  });

  // proves: composer-tabs
  it("is the same in both in the end, in whatever order they hear of each other", async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      [value, tabs] = [null, []];
      // oxlint-disable-next-line no-await-in-loop -- each run has tabs of its own
      const [a, b] = [await openTab(), await openTab()];
      const next = numbers(seed);
      for (let step = 0; step < 40; step += 1) {
        const tab = next(2) === 0 ? a : b;
        const { text, images } = held(tab);
        const deed = next(8);
        if (deed < 4) hearOne(tab);
        else if (deed === 4) change(tab, { text: `${text}${step % 10}` });
        else if (deed === 5) change(tab, { text: text.slice(1) });
        else if (deed === 6 && images.length < 2) {
          change(tab, { images: [...images, readyImage(String(step))] });
        } else change(tab, { images: images.slice(1) });
      }
      settle();
      expect(held(a), `seed ${seed}`).toEqual(held(b));
      const { text, images } = held(a);
      if (value === null) expect([text, images]).toEqual(["", []]);
      else expect(JSON.parse(value)).toEqual(held(a));
    }
  });

  // proves: composer-tabs
  it("comes to rest in three that hear of each other late", async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      [value, tabs] = [null, []];
      // oxlint-disable-next-line no-await-in-loop -- each run has tabs of its own
      for (let tab = 0; tab < 3; tab += 1) await openTab();
      const next = numbers(seed);
      for (let step = 0; step < 30; step += 1) {
        const tab = tabs[next(3)];
        if (!tab) continue;
        const { text, images } = held(tab);
        const deed = next(7);
        if (deed < 2) hearOne(tab);
        else if (deed < 5) change(tab, { text: `${text}${step % 10}` });
        else if (images.length < 4) {
          change(tab, { images: [...images, readyImage(String(step))] });
        }
      }
      settle();
    }
  });
});

/** Numbers that look random and are the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}
