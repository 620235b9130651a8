import { describe, expect, it, vi } from "vitest";
import type { Sending } from "../send-file";
import { createEngine, type Steps } from "./engine";
import type { UploadStatus } from "./status";

const address = { url: "http://kith.test/api/objects/1?signature=x", headers: {}, name: "1" };

/** An engine whose sending is in the test's hands, and what it tells. */
function setUp(more: Partial<Steps> = {}) {
  const told: UploadStatus[] = [];
  const sent: { sending: Sending; resolve: () => void; reject: (error: Error) => void }[] = [];
  const steps: Steps = {
    address: () => Promise.resolve(address),
    send: (sending) =>
      new Promise((resolve, reject) => {
        sending.signal.addEventListener("abort", () => reject(new Error("Aborted.")));
        sent.push({ sending, resolve, reject });
      }),
    finish: () => Promise.resolve(),
    isLost: () => false,
    onStatus: (status) => told.push(status),
    ...more,
  };
  const file = new File([new Uint8Array(1_000)], "cat.png", { type: "text/plain" });
  const engine = createEngine(file, "image/png", steps);
  const now = () => told.at(-1);
  const phases = () => told.map(({ phase }) => phase).filter((one, at, all) => one !== all[at - 1]);
  const until = (phase: string) => vi.waitFor(() => expect(now()?.phase).toBe(phase));
  const nth = (index: number) =>
    vi.waitFor(() => {
      const found = sent[index];
      if (!found) throw new Error("Nothing is being sent.");
      return found;
    });
  return { engine, now, phases, until, nth, sent };
}

describe("an upload", () => {
  // proves: upload-states, upload-direct
  it("is prepared, sent by one PUT, finished off and complete", async () => {
    const { engine, now, phases, until, nth, sent } = setUp();
    engine.begin();
    const { sending, resolve } = await nth(0);
    expect(sending).toMatchObject({ url: address.url, headers: {} });
    expect(sending.body.size).toBe(1_000);
    sending.onProgress(420);
    expect(now()).toEqual({ phase: "uploading", paused: false, percent: 42, detail: null });
    resolve();
    await until("complete");
    expect(phases()).toEqual([
      "waiting",
      "preprocessing",
      "uploading",
      "postprocessing",
      "complete",
    ]);
    expect(sent).toHaveLength(1);
  });
  // proves: upload-actions
  it("is held, and then goes on from the start", async () => {
    const { engine, now, until, nth } = setUp();
    engine.begin();
    const first = await nth(0);
    first.sending.onProgress(600);
    engine.pauseOrResume();
    expect(now()).toMatchObject({ phase: "uploading", paused: true, percent: 60 });
    expect(first.sending.signal.aborted).toBe(true);
    engine.pauseOrResume();
    const second = await nth(1);
    second.sending.onProgress(100);
    expect(now()).toMatchObject({ paused: false, percent: 10 });
    second.resolve();
    await until("complete");
  });
  // proves: upload-actions
  it("fails with a reason, and can be tried again", async () => {
    const { engine, now, until, nth } = setUp();
    engine.begin();
    (await nth(0)).reject(new Error("The store is full."));
    await until("error");
    expect(now()?.detail).toBe("The store is full.");
    engine.retry();
    (await nth(1)).resolve();
    await until("complete");
    expect(now()?.detail).toBeNull();
  });
  it("is not sent without an address", async () => {
    const ask = vi.fn().mockRejectedValueOnce(new Error("No address.")).mockResolvedValue(address);
    const { engine, now, until, nth, sent } = setUp({ address: ask });
    engine.begin();
    await until("error");
    expect(now()?.detail).toBe("No address.");
    expect(sent).toHaveLength(0);
    engine.retry();
    (await nth(0)).resolve();
    await until("complete");
  });
  it("that could not be finished off is finished off again, and not sent again", async () => {
    const finish = vi.fn().mockRejectedValueOnce(new Error("Busy.")).mockResolvedValue(undefined);
    const { engine, until, nth, sent } = setUp({ finish });
    engine.begin();
    (await nth(0)).resolve();
    await until("error");
    engine.retry();
    await until("complete");
    expect(finish).toHaveBeenCalledTimes(2);
    expect(sent).toHaveLength(1);
  });
  it("that the server lost is sent again", async () => {
    const finish = vi.fn().mockRejectedValueOnce(new Error("Gone.")).mockResolvedValue(undefined);
    const { engine, until, nth, sent } = setUp({ finish, isLost: () => true });
    engine.begin();
    (await nth(0)).resolve();
    await until("error");
    engine.retry();
    (await nth(1)).resolve();
    await until("complete");
    expect(sent).toHaveLength(2);
  });
  it("that is closed ends, and says nothing more", async () => {
    const finish = vi.fn();
    const { engine, now, nth } = setUp({ finish });
    engine.begin();
    const { sending } = await nth(0);
    const before = now();
    engine.close();
    expect(sending.signal.aborted).toBe(true);
    await new Promise((resolve) => setTimeout(resolve));
    expect(now()).toEqual(before);
    expect(finish).not.toHaveBeenCalled();
  });
});

describe("an upload that nobody began", () => {
  // proves: upload-one-file
  it("waits", async () => {
    const ask = vi.fn().mockResolvedValue(address);
    const { sent } = setUp({ address: ask });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ask).not.toHaveBeenCalled();
    expect(sent).toHaveLength(0);
  });
});
