import type { components } from "./schema.gen";
import { api } from "./client";

type ErrorSource = components["schemas"]["ClientErrorSource"];

/** Reports that one page load sends. */
const MAX_REPORTS = 5;
/** Limits of the server. */
const MAX_TEXT_LENGTH = 100;
const MAX_FRAMES_LENGTH = 1_000;

let reportCount = 0;

/**
 * Reports a defect to the server's log: the class of the error and positions in the app's own scripts. Its
 * message is not sent, since it may contain content of members.
 */
export function reportClientError(source: ErrorSource, error: unknown): void {
  const { name, stack = "" } = error instanceof Error ? error : { name: typeof error };
  const frames = [...stack.matchAll(/\/assets\/([\w.-]+\.js:\d+:\d+)/g)].map(
    ([, frame = ""]) => frame,
  );
  // A browser extension's errors reach the page, too.
  const isForeign = source === "script" && frames.length === 0;
  if (isForeign || reportCount >= MAX_REPORTS) return;
  reportCount += 1;
  const body = {
    source,
    route: getRoutePattern(location.pathname),
    name: name.replaceAll(/[^\w.]/g, "").slice(0, MAX_TEXT_LENGTH),
    frames: frames.join(" ").slice(0, MAX_FRAMES_LENGTH),
  };
  api.POST("/api/client-errors", { body, keepalive: true }).catch(() => undefined);
}

/** Reports the errors of scripts that nothing else handles. */
export function reportUnhandledErrors(): void {
  addEventListener("error", ({ error }) => reportClientError("script", error));
  addEventListener("unhandledrejection", ({ reason }) => reportClientError("script", reason));
}

/** A path without names and ids: `/profile/ada` is `/profile/*`. */
export function getRoutePattern(path: string): string {
  const [, first = "", ...rest] = path.split("/");
  const start = /^[a-z]*$/.test(first) ? first : "*";
  return rest.length > 0 ? `/${start}/*` : `/${start}`;
}
