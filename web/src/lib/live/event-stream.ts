const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/** Why the server ended or rejected a stream: for good, or for as many milliseconds at least. */
export type Rejection = "final" | { retryAfterMs: number };

interface StreamOptions {
  url: string;
  /** The names of the events to listen for. */
  events: readonly string[];
  onEvent: (name: string, data: unknown) => void;
  /** Asks the server why it rejected the stream, which `EventSource` does not say. */
  explainRejection: (url: string, signal: AbortSignal) => Promise<Rejection>;
}

/**
 * Reads server-sent events until it is closed. The browser reconnects by itself when a connection ends; after
 * an HTTP error, which ends an `EventSource`, it is opened again after 1 to 60 seconds, with jitter.
 */
export function openEventStream(options: StreamOptions) {
  const { url, events, onEvent, explainRejection } = options;
  const controller = new AbortController();
  const { signal } = controller;
  let failures = 0;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open() {
    const opened = new EventSource(url, { withCredentials: true });
    source = opened;
    opened.addEventListener("open", () => (failures = 0));
    opened.addEventListener("error", () => {
      if (opened.readyState === EventSource.CLOSED) void reopenLater();
    });
    for (const name of events) {
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const value = parseJson(data);
        if (value !== undefined && !signal.aborted) onEvent(name, value);
      });
    }
  }

  async function reopenLater() {
    failures += 1;
    // Without a response there is no reason to give up.
    const rejection = await explainRejection(url, signal).catch(() => ({ retryAfterMs: 0 }));
    if (rejection === "final" || signal.aborted) return;
    timer = setTimeout(open, Math.max(rejection.retryAfterMs, getBackoff(failures)));
  }

  open();
  return {
    /** Opens it again, unless the server rejects that. */
    reopen() {
      source?.close();
      void reopenLater();
    },
    close() {
      controller.abort();
      source?.close();
      clearTimeout(timer);
    },
  };
}

/** Milliseconds before the next attempt: doubled by each failure, and spread over the upper half of that. */
export function getBackoff(failures: number): number {
  const longest = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** failures);
  return longest * (0.5 + Math.random() / 2);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
