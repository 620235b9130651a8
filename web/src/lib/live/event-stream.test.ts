import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { getBackoff, openEventStream, type Rejection } from "./event-stream";

/** The opened streams, and their listeners. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readyState = 0;
  constructor(public url: string) {
    super();
    FakeEventSource.all.push(this);
  }
  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  fail(readyState: number) {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
  send(name: string, data: string) {
    this.dispatchEvent(Object.assign(new Event(name), { data }));
  }
  close() {
    this.readyState = FakeEventSource.CLOSED;
  }
}

const explainRejection = vi.fn<() => Promise<Rejection>>();
const onEvent = vi.fn();

function open() {
  const stream = openEventStream({ url: "/events", events: ["notice"], onEvent, explainRejection });
  return { stream, sources: FakeEventSource.all };
}

beforeEach(() => {
  FakeEventSource.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.spyOn(Math, "random").mockReturnValue(1);
  explainRejection.mockResolvedValue({ retryAfterMs: 0 });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

test("events are passed on as JSON, and broken ones are skipped", () => {
  const { sources } = open();
  sources[0]?.send("notice", '{"count":3}');
  sources[0]?.send("notice", "{");
  expect(onEvent.mock.calls).toEqual([["notice", { count: 3 }]]);
});

test("while the browser reconnects by itself, no other stream is opened", async () => {
  const { sources } = open();
  sources[0]?.fail(0);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sources).toHaveLength(1);
  expect(explainRejection).not.toHaveBeenCalled();
});

// proves: live-reconnect
test("after HTTP errors it is opened again, each time later, until it works", async () => {
  const { sources } = open();
  for (const [failure, delay] of [2_000, 4_000, 8_000].entries()) {
    sources.at(-1)?.fail(FakeEventSource.CLOSED);
    await vi.advanceTimersByTimeAsync(delay - 1);
    expect(sources).toHaveLength(failure + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sources).toHaveLength(failure + 2);
  }
  sources.at(-1)?.open();
  sources.at(-1)?.fail(FakeEventSource.CLOSED);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sources).toHaveLength(5);
});

// proves: live-reconnect
test("it waits as long as the server requires", async () => {
  explainRejection.mockResolvedValue({ retryAfterMs: 30_000 });
  const { sources } = open();
  sources[0]?.fail(FakeEventSource.CLOSED);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(sources).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sources).toHaveLength(2);
});

test("after a final rejection it stays closed", async () => {
  explainRejection.mockResolvedValue("final");
  const { sources } = open();
  sources[0]?.fail(FakeEventSource.CLOSED);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sources).toHaveLength(1);
});

test("once closed it passes nothing on and does not come back", async () => {
  const { stream, sources } = open();
  sources[0]?.fail(FakeEventSource.CLOSED);
  stream.close();
  sources[0]?.send("notice", "1");
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sources).toHaveLength(1);
  expect(onEvent).not.toHaveBeenCalled();
});

// proves: live-reconnect
test("the delay lies between 1 s and 60 s, with jitter", () => {
  expect(getBackoff(30)).toBe(60_000);
  vi.spyOn(Math, "random").mockReturnValue(0);
  expect(getBackoff(1)).toBe(1_000);
  expect(getBackoff(30)).toBe(30_000);
});
