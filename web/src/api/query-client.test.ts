import { focusManager, onlineManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { currentToast } from "@/lib/state/toast";
import { ApiError } from "./api-error";
import { queryKeys } from "./query-keys";
import { queryClient } from "./query-client";

const assign = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("location", { assign });
  vi.stubGlobal("history", { state: null });
  queryClient.mount();
});
afterEach(async () => {
  await vi.runAllTimersAsync();
  queryClient.unmount();
  queryClient.clear();
  currentToast.set(null);
  assign.mockReset();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("cached data", () => {
  const day = 24 * 3_600_000;
  // proves: web-no-focus, web-no-poll, web-never-stale
  it("stays as it is for a day, through focus, reconnects and further views", async () => {
    const queryFn = vi.fn(() => Promise.resolve("fetched"));
    const view = () =>
      new QueryObserver(queryClient, { queryKey: ["x"], queryFn }).subscribe(() => {});
    const leave = view();
    await vi.advanceTimersByTimeAsync(day);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
    const leaveAgain = view();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(queryFn).toHaveBeenCalledTimes(1);
    leave();
    leaveAgain();
  });
  // proves: web-no-retry
  it("is not requested again after a failure, also without a network", async () => {
    onlineManager.setOnline(false);
    const request = vi.fn(() => Promise.reject(new TypeError("offline")));
    const query = queryClient.fetchQuery({ queryKey: ["x"], queryFn: request });
    await expect(query).rejects.toThrow("offline");
    await expect(mutate(request)).rejects.toThrow("offline");
    await vi.advanceTimersByTimeAsync(day);
    expect(request).toHaveBeenCalledTimes(2);
    onlineManager.setOnline(true);
  });
});

type Meta = Parameters<ReturnType<typeof queryClient.getMutationCache>["build"]>[1]["meta"];

function mutate(mutationFn: () => Promise<unknown>, meta?: Meta): Promise<unknown> {
  const options = { mutationFn, ...(meta && { meta }) };
  return queryClient.getMutationCache().build(queryClient, options).execute("1");
}

async function fail(error: Error, meta?: Meta): Promise<string | undefined> {
  await expect(mutate(() => Promise.reject(error), meta)).rejects.toBe(error);
  return currentToast.get()?.description;
}

const makeError = (status: number, body: object) => new ApiError(status, "", JSON.stringify(body));

describe("a mutation that succeeds", () => {
  it("shows its message immediately, and is pending until the changed queries are refetched", async () => {
    const fetches = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 1_000, "fetched")));
    const view = new QueryObserver(queryClient, { queryKey: ["x"], queryFn: fetches });
    const leave = view.subscribe(() => {});
    await vi.advanceTimersByTimeAsync(1_000);
    const ended = vi.fn();
    const meta = { success: { title: "Done" }, invalidates: [["x"]] };
    void mutate(() => Promise.resolve(), meta).then(ended);
    await vi.advanceTimersByTimeAsync(999);
    expect(currentToast.get()?.title).toBe("Done");
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(fetches).toHaveBeenCalledTimes(2);
    expect(ended).toHaveBeenCalledOnce();
    leave();
  });
});

describe("a mutation that fails", () => {
  it("shows the server's sentence first, and its own text otherwise", async () => {
    const failure = "Failed to vote.";
    expect(await fail(makeError(409, { message: "Too late." }), { failure })).toBe("Too late.");
    expect(await fail(new TypeError("offline"), { failure })).toBe(failure);
    expect(await fail(new Error(), { failure: (_, id: string) => `No ${id}.` })).toBe("No 1.");
  });
  it("shows nothing where its form does, or where it names no text", async () => {
    const error = makeError(400, { message: "Bad.", fields: { email: "No email." } });
    expect(await fail(error, { failure: "Failed.", fields: ["email"] })).toBeUndefined();
    expect(await fail(error, { failure: () => null })).toBeUndefined();
    expect(await fail(error)).toBeUndefined();
  });
  // proves: error-401-login
  it("redirects to the login once the session has ended, once for several requests", async () => {
    queryClient.setQueryData(queryKeys.currentUser, { id: "7" });
    await fail(makeError(401, {}), { failure: "Failed." });
    expect(currentToast.get()?.title).toBe("Unauthorized");
    const shown = currentToast.get();
    await fail(makeError(401, {}));
    expect(currentToast.get()).toBe(shown);
    await vi.advanceTimersByTimeAsync(499);
    expect(assign).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(assign).toHaveBeenCalledExactlyOnceWith("/api/login");
  });
});
