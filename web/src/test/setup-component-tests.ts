import "@/styles/main.css";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { cleanup } from "vitest-browser-react";
import { newPosts } from "@/api/live/new-posts";
import { queryClient } from "@/api/query-client";
import { listenToHistory } from "@/lib/navigation/overlay-history";
import { currentToast } from "@/lib/state/toast";
import { streams } from "./mock-api/event-streams";
import { resetNetwork } from "./mock-api/network";
import { startMockApi, worker } from "./mock-api/worker";

listenToHistory();

beforeAll(startMockApi);

// The viewer has another id each time, so that no draft is left over from the test before.
beforeEach(() => {
  resetNetwork();
  streams.length = 0;
});

afterEach(async () => {
  await cleanup();
  // A late response would show its toast in the next test.
  await expect.poll(() => queryClient.isMutating() + queryClient.isFetching()).toBe(0);
  worker.resetHandlers();
  queryClient.clear();
  newPosts.set(null);
  currentToast.set(null);
  localStorage.clear();
  sessionStorage.clear();
});
