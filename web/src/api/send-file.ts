import { ApiError, mayPass } from "./error";

/** How long a transfer may stand still, in milliseconds. */
const PATIENCE = 5 * 60_000;
/** How long to wait before each new try of a transfer, in milliseconds. */
export const RETRY_DELAYS = [0, 1_000, 3_000, 5_000];

export interface Sending {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Blob;
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file by one `PUT`. Not by `fetch`, which cannot tell how much of it is out. Throws an
 * `ApiError` for a refusal and an `Error` when no answer comes or the transfer stands still.
 */
export function sendFile({ url, headers, body, onProgress, signal }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    let watch = setTimeout(stop, PATIENCE);
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded }) => {
      clearTimeout(watch);
      watch = setTimeout(stop, PATIENCE);
      onProgress(loaded);
    });
    request.addEventListener("loadend", () => {
      clearTimeout(watch);
      const { status, statusText, responseText } = request;
      if (status >= 200 && status < 300) resolve();
      else if (status === 0) reject(new Error("The file could not be sent."));
      else reject(new ApiError(status, statusText, responseText));
    });
    signal.addEventListener("abort", stop);
    request.send(body);
  });
}

/** Does something that may fail for a moment again after each of these delays (milliseconds). */
export async function withRetries(
  send: () => Promise<void>,
  delays: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const delay of delays) {
    try {
      return await send();
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
    }
    await new Promise<unknown>((resolve) => {
      setTimeout(resolve, delay);
      signal.addEventListener("abort", resolve);
    });
    signal.throwIfAborted();
  }
  return send();
}
