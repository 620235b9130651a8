import { describe, expect, it, vi } from "vitest";
import { ToggleQueue } from "./toggle-queue";

const settle = () => new Promise((resolve) => setTimeout(resolve));

function setup() {
  const sent: { on: boolean; resolve: () => void; reject: (error: Error) => void }[] = [];
  const confirm = vi.fn();
  const queue = new ToggleQueue({
    send: (_key, on) =>
      new Promise<void>((resolve, reject) => {
        sent.push({ on, resolve, reject });
      }),
    confirm,
  });
  const onFail = vi.fn();
  return { queue, sent, confirm, onFail };
}

describe("ToggleQueue", () => {
  it("shows the wish at once and confirms it once", async () => {
    const { queue, sent, confirm, onFail } = setup();
    queue.set("p", true, false, onFail);
    expect(queue.wish("p")).toBe(true);
    sent[0]?.resolve();
    await settle();
    expect(confirm.mock.calls).toEqual([["p", true]]);
    expect(queue.wish("p")).toBeUndefined();
  });

  it("collapses rapid toggles into the last wish", async () => {
    const { queue, sent, confirm, onFail } = setup();
    for (const wish of [true, false, true, false, true, false]) {
      queue.set("p", wish, false, onFail);
    }
    expect(sent.map(({ on }) => on)).toEqual([true]);
    sent[0]?.resolve();
    await settle();
    expect(sent.map(({ on }) => on)).toEqual([true, false]);
    sent[1]?.resolve();
    await settle();
    expect(confirm.mock.lastCall).toEqual(["p", false]);
    expect(queue.wish("p")).toBeUndefined();
  });

  it("sends nothing more when the last wish is what is under way", async () => {
    const { queue, sent, onFail } = setup();
    for (const wish of [true, false, true]) queue.set("p", wish, false, onFail);
    sent[0]?.resolve();
    await settle();
    expect(sent).toHaveLength(1);
  });

  it("drops the wish and tells the last caller when the server refuses", async () => {
    const { queue, sent, confirm, onFail } = setup();
    queue.set("p", true, false, onFail);
    sent[0]?.reject(new Error("500: no"));
    await settle();
    expect(onFail).toHaveBeenCalledOnce();
    expect(confirm).not.toHaveBeenCalled();
    expect(queue.wish("p")).toBeUndefined();
  });

  it("keeps keys apart and sends nothing for a wish that is already true", () => {
    const { queue, sent, onFail } = setup();
    queue.set("p", true, true, onFail);
    queue.set("q", true, false, onFail);
    expect(sent).toHaveLength(1);
    expect(queue.wish("p")).toBeUndefined();
  });

  it("tells subscribers until they leave", () => {
    const { queue, onFail } = setup();
    const listener = vi.fn();
    const leave = queue.subscribe(listener);
    queue.set("p", true, false, onFail);
    leave();
    queue.set("p", false, false, onFail);
    expect(listener).toHaveBeenCalledOnce();
  });
});
