import type { CDPSession, Page } from "@playwright/test";

/** What a page cost its reader; times in milliseconds. */
export interface Vitals {
  /** When the largest part of the page had been painted. */
  lcp: number;
  /** How much the page jumped: the sum of its layout shifts. */
  cls: number;
  /** The longest time from an input to the next picture. */
  inp: number;
}

declare global {
  // oxlint-disable-next-line no-var -- lives on the page's global object
  var vitals: Vitals;
}

/** A slow phone on a slow network: a quarter of this processor, 1.6 Mbit/s, 150 ms there and back. */
export async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return session;
}

/** Counts the bytes of script that come over the network, headers included. */
export function countScript(session: CDPSession): () => number {
  const scripts = new Set<string>();
  let bytes = 0;
  session.on("Network.requestWillBeSent", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

/** Lets a page note its own vitals from its first moment on. */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const vitals = { lcp: 0, cls: 0, inp: 0 };
    globalThis.vitals = vitals;
    const noteInput = (entry: PerformanceEntry) => {
      const { interactionId, duration } = entry as PerformanceEventTiming;
      if (interactionId) vitals.inp = Math.max(vitals.inp, duration);
    };
    const notes: Record<string, (entry: PerformanceEntry) => void> = {
      "largest-contentful-paint": (entry) => {
        vitals.lcp = entry.startTime;
      },
      "layout-shift": (entry) => {
        const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
        if (!shift.hadRecentInput) vitals.cls += shift.value;
      },
      event: noteInput,
      "first-input": noteInput,
    };
    for (const [type, note] of Object.entries(notes)) {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) note(entry);
      });
      // Shorter inputs than a frame are not told apart.
      observer.observe({
        type,
        buffered: true,
        ...(type === "event" && { durationThreshold: 16 }),
      });
    }
  });
}

/** The vitals so far, after everything that is under way has been painted and noted. */
export async function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(async () => {
    // Two frames to paint, and a moment for the observers, which are told late.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { ...globalThis.vitals };
  });
}

/** When a reader first saw something, in milliseconds. */
export interface Sights {
  /** The first text or image of the page, whatever it was. */
  paint: number;
  /** The first part of what the page is for, such as a post. */
  content: number;
  /** How much the page jumped until then and shortly after. */
  cls: number;
}

/** A very slow line: 50 KB/s each way, and 400 ms there and back. The processor stays as it is. */
export async function slowLine(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
}

declare global {
  // oxlint-disable-next-line no-var -- lives on the page's global object
  var sight: number | undefined;
}

/** Has a page note when the first visible element that `content` selects was painted. */
export async function watchSights(page: Page, content: string): Promise<void> {
  await watchVitals(page);
  await page.addInitScript((selector) => {
    const look = () => {
      const found = [...document.querySelectorAll(selector)];
      if (!found.some((element) => element.checkVisibility())) requestAnimationFrame(look);
      // Found before a frame is painted; the next one begins once it is.
      else requestAnimationFrame(() => (globalThis.sight = performance.now()));
    };
    requestAnimationFrame(look);
  }, content);
}

/** What a page noted of them. */
export async function firstSights(page: Page): Promise<Sights> {
  await page.waitForFunction(() => globalThis.sight !== undefined);
  // What moves the page comes late: fonts, pictures.
  await page.waitForTimeout(2_500);
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return {
      paint: paint?.startTime ?? Number.NaN,
      content: globalThis.sight ?? Number.NaN,
      cls: globalThis.vitals.cls,
    };
  });
}
