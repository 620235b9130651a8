import { describe, expect, it, vi } from "vitest";
import { createToggleQueue } from "./toggle-queue";

const settle = () => new Promise((resolve) => setTimeout(resolve));

function setup() {
  const sent: { on: boolean; resolve: () => void; reject: (error: Error) => void }[] = [];
  const confirm = vi.fn();
  const queue = createToggleQueue({
    send: (_key, on) =>
      new Promise<void>((resolve, reject) => {
        sent.push({ on, resolve, reject });
      }),
    confirm,
  });
  const onFail = vi.fn();
  return { queue, sent, confirm, onFail };
}

describe("toggleQueue", () => {
  it("shows the optimistic value immediately and confirms it once", async () => {
    const { queue, sent, confirm, onFail } = setup();
    void queue.set("p", true, false, onFail);
    expect(queue.requested("p")).toBe(true);
    sent[0]?.resolve();
    await settle();
    expect(confirm.mock.calls).toEqual([["p", true]]);
    expect(queue.requested("p")).toBeUndefined();
  });

  it("collapses rapid toggles into the last value", async () => {
    const { queue, sent, confirm, onFail } = setup();
    for (const value of [true, false, true, false, true, false]) {
      void queue.set("p", value, false, onFail);
    }
    expect(sent.map(({ on }) => on)).toEqual([true]);
    sent[0]?.resolve();
    await settle();
    expect(sent.map(({ on }) => on)).toEqual([true, false]);
    sent[1]?.resolve();
    await settle();
    expect(confirm.mock.lastCall).toEqual(["p", false]);
    expect(queue.requested("p")).toBeUndefined();
  });

  it("sends nothing more if the last value is being sent", async () => {
    const { queue, sent, onFail } = setup();
    for (const value of [true, false, true]) void queue.set("p", value, false, onFail);
    sent[0]?.resolve();
    await settle();
    expect(sent).toHaveLength(1);
  });

  it("reverts the value and rejects the last call on an error", async () => {
    const { queue, sent, confirm, onFail } = setup();
    void queue.set("p", true, false, onFail);
    sent[0]?.reject(new Error("500: no"));
    await settle();
    expect(onFail).toHaveBeenCalledOnce();
    expect(confirm).not.toHaveBeenCalled();
    expect(queue.requested("p")).toBeUndefined();
  });

  it("separates keys and sends nothing for the current value", () => {
    const { queue, sent, onFail } = setup();
    void queue.set("p", true, true, onFail);
    void queue.set("q", true, false, onFail);
    expect(sent).toHaveLength(1);
    expect(queue.requested("p")).toBeUndefined();
  });
});
