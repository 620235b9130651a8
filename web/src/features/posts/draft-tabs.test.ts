import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DraftHandle } from "./draft";
import { makeAttachment } from "@/test/factories/attachment";

/** Opens the draft in a tab with modules of its own. */
async function openTab(): Promise<DraftHandle> {
  vi.resetModules();
  const { getDraft } = await import("./draft");
  return getDraft("1");
}

const held = ({ store }: DraftHandle) => store.get();

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

  /** Delivers the storage events of both tabs. */
  const deliver = () => listeners.forEach((listener) => listener({ key: "kith:draft:1:post" }));

  // proves: composer-tabs
  it("shows the last text in each tab, and keeps the tab's own uploads", async () => {
    const [a, b] = [await openTab(), await openTab()];
    const late = { id: "9", alt: "", ready: null };
    a.update({ text: "a", images: [late] });
    deliver();
    expect(held(b)).toEqual({ text: "a", poll: null, images: [] });
    b.update({ text: "ab", images: [makeAttachment("1")] });
    deliver();
    expect(held(a)).toEqual({ text: "ab", poll: null, images: [makeAttachment("1"), late] });
    b.update({ text: "", images: [] });
    deliver();
    expect(held(a)).toEqual({ text: "", poll: null, images: [late] });
  });

  // proves: composer-tabs
  it("loses nothing that is typed in one while an upload ends in another", async () => {
    const [typing, uploading] = [await openTab(), await openTab()];
    typing.update({ text: "typed" });
    // The second tab has not received the event of the text yet.
    uploading.update(({ images }) => ({ images: [...images, makeAttachment("1")] }));
    deliver();
    typing.update({ text: "typed on" });
    deliver();
    for (const tab of [typing, uploading]) {
      expect(held(tab)).toEqual({ text: "typed on", poll: null, images: [makeAttachment("1")] });
    }
  });

  // proves: composer-tabs
  it("does not restore the text before the last keystroke", async () => {
    const [a, b] = [await openTab(), await openTab()];
    b.update({ text: "before" });
    a.update({ text: "after" });
    deliver();
    expect([held(a).text, held(b).text]).toEqual(["after", "after"]);
  });

  // proves: composer-tabs
  it("keeps a draft in its tab if the storage is full", async () => {
    const [a, b] = [await openTab(), await openTab()];
    isFull = true;
    b.update({ text: "a long text" });
    isFull = false;
    a.update({ text: "short" });
    deliver();
    expect([held(a).text, held(b).text]).toEqual(["short", "a long text"]);
  });

  // proves: logout-drafts
  it.each([null, "2"])("does not get onto the device again once %s is logged in", async (id) => {
    const tab = await openTab();
    tab.update({ text: "a" });
    [value, member] = [null, id];
    tab.update({ text: "ab" });
    expect(value).toBeNull();
  });
});
