import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OpenDraft } from "./draft";
import { readyImage } from "./invented-image";

/** Opens the draft in a tab with modules of its own. */
async function openTab(): Promise<OpenDraft> {
  vi.resetModules();
  const { openDraft } = await import("./draft");
  return openDraft("1");
}

const held = ({ store }: OpenDraft) => store.get();

describe("a draft that is open in two tabs", () => {
  let value: string | null;
  let isFull: boolean;
  let member: string | null;
  let listeners: ((event: { key: string }) => void)[];

  beforeEach(() => {
    [value, isFull, member, listeners] = [null, false, "1", []];
    vi.stubGlobal("addEventListener", (_: string, listener: (typeof listeners)[number]) => {
      listeners.push(listener);
    });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => (key === "kith:member" ? member : value),
      setItem: (_: string, next: string) => {
        if (isFull) throw new Error("QuotaExceededError");
        value = next;
      },
      removeItem: () => (value = null),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  /** Has both tabs hear of what was written. */
  const deliver = () => listeners.forEach((listener) => listener({ key: "kith:draft:1:post" }));

  // proves: composer-tabs
  it("shows in each what was written last, and keeps what this tab uploads", async () => {
    const [a, b] = [await openTab(), await openTab()];
    const late = { id: "9", alt: "", ready: null };
    a.change({ text: "a", images: [late] });
    deliver();
    expect(held(b)).toEqual({ text: "a", poll: null, images: [] });
    b.change({ text: "ab", images: [readyImage("1")] });
    deliver();
    expect(held(a)).toEqual({ text: "ab", poll: null, images: [readyImage("1"), late] });
    b.change({ text: "", images: [] });
    deliver();
    expect(held(a)).toEqual({ text: "", poll: null, images: [late] });
  });

  // proves: composer-tabs
  it("loses nothing that is typed in one while an upload ends in another", async () => {
    const [typing, uploading] = [await openTab(), await openTab()];
    typing.change({ text: "typed" });
    // It has not heard of the text yet.
    uploading.change(({ images }) => ({ images: [...images, readyImage("1")] }));
    deliver();
    typing.change({ text: "typed on" });
    deliver();
    for (const tab of [typing, uploading]) {
      expect(held(tab)).toEqual({ text: "typed on", poll: null, images: [readyImage("1")] });
    }
  });

  // proves: composer-tabs
  it("does not bring back what was written before the last keystroke", async () => {
    const [a, b] = [await openTab(), await openTab()];
    b.change({ text: "before" });
    a.change({ text: "after" });
    deliver();
    expect([held(a).text, held(b).text]).toEqual(["after", "after"]);
  });

  // proves: composer-tabs
  it("keeps in its tab what a full storage did not take", async () => {
    const [a, b] = [await openTab(), await openTab()];
    isFull = true;
    b.change({ text: "a long text" });
    isFull = false;
    a.change({ text: "short" });
    deliver();
    expect([held(a).text, held(b).text]).toEqual(["short", "a long text"]);
  });

  // proves: logout-drafts
  it.each([null, "2"])("does not get onto the device again once %s is logged in", async (id) => {
    const tab = await openTab();
    tab.change({ text: "a" });
    [value, member] = [null, id];
    tab.change({ text: "ab" });
    expect(value).toBeNull();
  });
});
