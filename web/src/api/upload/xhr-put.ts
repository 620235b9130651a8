import { ApiError, isRetryable } from "@/api/api-error";

/** The timeout of a transfer without progress, in milliseconds. */
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
 * Sends a file by one `PUT`. Not by `fetch`, which reports no upload progress. Throws an
 * `ApiError` for an error response, and an `Error` without a response or progress.
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

/** Retries after each of these delays, in milliseconds, while the error may be temporary. */
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
