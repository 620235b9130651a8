import "@/styles/main.css";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { queryClient } from "@/api/query-client";
import { currentToast } from "@/lib/state/toast";
import { resetNetwork } from "./mock-api/network";
import { startMockApi, worker } from "./mock-api/worker";

beforeAll(startMockApi);

beforeEach(() => {
  // A new viewer each time: drafts and forms are kept for each member.
  resetNetwork();
});

afterEach(() => {
  worker.resetHandlers();
  queryClient.clear();
  currentToast.set(null);
  localStorage.clear();
  sessionStorage.clear();
});
