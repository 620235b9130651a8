import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, isRetryable } from "@/api/api-error";
import { RETRY_DELAYS_MS, withRetries } from "./xhr-put";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

describe("trying again", () => {
  // proves: upload-defaults
  it("waits 0, 1, 3 and 5 seconds, and then gives up", async () => {
    const started = Date.now();
    const tries: number[] = [];
    const sent = withRetries(
      () => {
        tries.push(Date.now() - started);
        return Promise.reject(new Error("No connection."));
      },
      RETRY_DELAYS_MS,
      never,
    );
    const failed = expect(sent).rejects.toThrow("No connection.");
    await vi.runAllTimersAsync();
    await failed;
    expect(tries).toEqual([0, 0, 1_000, 4_000, 9_000]);
  });
  it("ends with the first success", async () => {
    const send = vi.fn().mockRejectedValueOnce(new Error("Once.")).mockResolvedValue(undefined);
    const sent = withRetries(send, RETRY_DELAYS_MS, never);
    await vi.runAllTimersAsync();
    await sent;
    expect(send).toHaveBeenCalledTimes(2);
  });
  it("does not retry a rejected request", async () => {
    const send = vi.fn().mockRejectedValue(new ApiError(410, "Gone", ""));
    await expect(withRetries(send, RETRY_DELAYS_MS, never)).rejects.toThrow("410");
    expect(send).toHaveBeenCalledTimes(1);
  });
  it("stops in the middle of a wait", async () => {
    const stop = new AbortController();
    const send = vi.fn().mockRejectedValue(new Error("No connection."));
    const sent = withRetries(send, [5_000], stop.signal);
    const failed = expect(sent).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(1_000);
    stop.abort();
    await failed;
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe("temporary errors", () => {
  it.each([
    [500, true],
    [503, true],
    [429, true],
    [403, false],
    [410, false],
    [412, false],
    [413, false],
  ])("an answer of %i: %s", (status, expected) => {
    expect(isRetryable(new ApiError(status, "", ""))).toBe(expected);
  });
  it("no answer at all", () => {
    expect(isRetryable(new TypeError("Failed to fetch"))).toBe(true);
  });
});
