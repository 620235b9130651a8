import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchPagePresence } from "./page-presence";

const MINUTE_MS = 60_000;

const page = Object.assign(new EventTarget(), { hidden: false });
const browser = { onLine: true };
let target = new EventTarget();
const onChange = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  page.hidden = false;
  browser.onLine = true;
  target = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", browser);
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  onChange.mockReset();
});

function setHidden(hidden: boolean) {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

function setOnline(isOnline: boolean) {
  browser.onLine = isOnline;
  target.dispatchEvent(new Event(isOnline ? "online" : "offline"));
}

const changes = () => onChange.mock.calls.flat();

// proves: live-present
test("a page is present until it has been in the background for five minutes", () => {
  const end = watchPagePresence(onChange);
  setHidden(true);
  vi.advanceTimersByTime(5 * MINUTE_MS - 1);
  expect(changes()).toEqual([true]);
  vi.advanceTimersByTime(1);
  expect(changes()).toEqual([true, false]);
  setHidden(false);
  expect(changes()).toEqual([true, false, true]);
  end();
});

test("a page that comes back sooner stays present", () => {
  const end = watchPagePresence(onChange);
  setHidden(true);
  vi.advanceTimersByTime(4 * MINUTE_MS);
  setHidden(false);
  vi.advanceTimersByTime(10 * MINUTE_MS);
  expect(changes()).toEqual([true]);
  end();
});

// proves: live-present
test("a page is not present offline, or once it is left", () => {
  const end = watchPagePresence(onChange);
  setOnline(false);
  setOnline(true);
  target.dispatchEvent(new Event("pagehide"));
  target.dispatchEvent(new Event("pageshow"));
  expect(changes()).toEqual([true, false, true, false, true]);
  end();
  setOnline(false);
  expect(changes()).toHaveLength(5);
});
