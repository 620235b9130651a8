import type { CDPSession, Page } from "@playwright/test";

/** Web vitals of a page; times in milliseconds. */
export interface Vitals {
  /** Largest contentful paint. */
  lcp: number;
  /** Cumulative layout shift: the sum of all layout shifts. */
  cls: number;
  /** Interaction to next paint: the longest. */
  inp: number;
}

declare global {
  // oxlint-disable-next-line no-var -- lives on the page's global object
  var vitals: Vitals;
}

/** Emulates a slow phone on a slow network: a quarter of this CPU, 1.6 Mbit/s down, a round trip of 150 ms. */
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

/** Counts the bytes of scripts that are transferred, including headers. */
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

/** Records a page's vitals from the start of its navigation. */
export async function recordVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const vitals = { lcp: 0, cls: 0, inp: 0 };
    globalThis.vitals = vitals;
    const recordInput = (entry: PerformanceEntry) => {
      const { interactionId, duration } = entry as PerformanceEventTiming;
      if (interactionId) vitals.inp = Math.max(vitals.inp, duration);
    };
    const recorders: Record<string, (entry: PerformanceEntry) => void> = {
      "largest-contentful-paint": (entry) => {
        vitals.lcp = entry.startTime;
      },
      "layout-shift": (entry) => {
        const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
        if (!shift.hadRecentInput) vitals.cls += shift.value;
      },
      event: recordInput,
      "first-input": recordInput,
    };
    for (const [type, record] of Object.entries(recorders)) {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) record(entry);
      });
      // 16 ms, about one frame, is the smallest threshold that browsers accept.
      observer.observe({
        type,
        buffered: true,
        ...(type === "event" && { durationThreshold: 16 }),
      });
    }
  });
}

/** Reads the vitals so far, after pending changes have been painted and recorded. */
export async function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(async () => {
    // Two frames to paint, and 300 ms for the observers, whose callbacks run later.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { ...globalThis.vitals };
  });
}

/** When the page and its content were first painted, in milliseconds. */
export interface PaintTimes {
  /** First contentful paint: any text or image. */
  paint: number;
  /** The first paint of the page's main content, such as a post. */
  content: number;
  /** Cumulative layout shift until 2.5 s after that. */
  cls: number;
}

/** Emulates a very slow connection: 50 KB/s each way, and a round trip of 400 ms. The CPU is not throttled. */
export async function throttleNetwork(page: Page): Promise<void> {
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
  var contentPaintTime: number | undefined;
}

/** Records when the first visible element that `content` selects was painted, and the page's vitals. */
export async function recordPaintTimes(page: Page, content: string): Promise<void> {
  await recordVitals(page);
  await page.addInitScript((selector) => {
    const check = () => {
      const found = [...document.querySelectorAll(selector)];
      if (!found.some((element) => element.checkVisibility())) requestAnimationFrame(check);
      // This callback runs before the frame with the element is painted, the next one after that.
      else requestAnimationFrame(() => (globalThis.contentPaintTime = performance.now()));
    };
    requestAnimationFrame(check);
  }, content);
}

/** Reads the recorded times once the content was painted. */
export async function readPaintTimes(page: Page): Promise<PaintTimes> {
  await page.waitForFunction(() => globalThis.contentPaintTime !== undefined);
  // Fonts and images, which shift the layout, load late.
  await page.waitForTimeout(2_500);
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return {
      paint: paint?.startTime ?? Number.NaN,
      content: globalThis.contentPaintTime ?? Number.NaN,
      cls: globalThis.vitals.cls,
    };
  });
}
