import { ApiError, isRetryable } from "@/api/api-error";

/** How long a transfer may stand still, in milliseconds. */
const STALL_TIMEOUT_MS = 5 * 60_000;
/** How long to wait before each new try of a transfer, in milliseconds. */
export const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000];

export interface PutRequest {
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
export function putWithProgress({
  url,
  headers,
  body,
  onProgress,
  signal,
}: PutRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let stallTimer = setTimeout(abort, STALL_TIMEOUT_MS);
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded }) => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(abort, STALL_TIMEOUT_MS);
      onProgress(loaded);
    });
    request.addEventListener("loadend", () => {
      clearTimeout(stallTimer);
      const { status, statusText, responseText } = request;
      if (status >= 200 && status < 300) resolve();
      else if (status === 0) reject(new Error("The file could not be sent."));
      else reject(new ApiError(status, statusText, responseText));
    });
    signal.addEventListener("abort", abort);
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
      if (signal.aborted || !isRetryable(error)) throw error;
    }
    await new Promise<unknown>((resolve) => {
      setTimeout(resolve, delay);
      signal.addEventListener("abort", resolve);
    });
    signal.throwIfAborted();
  }
  return send();
}
