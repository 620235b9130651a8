import { setupWorker } from "msw/browser";
import { handlers } from "./handlers";

/** Responds to API requests from the mocked network, in a service worker. */
export const worker = setupWorker(...handlers);

/** Starts the worker, whose script `tools/mock-api.ts` serves; other requests go to the network. */
export async function startMockApi(): Promise<void> {
  await worker.start({ quiet: true, onUnhandledRequest: "bypass" });
}
