import type { BrowserContext } from "@playwright/test";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const names = new Set(["createdAt", "expiresAt", "usedAt"]);

/** When the community was made, in milliseconds. */
export interface Made {
  began: number;
  /** Everybody had joined, and nobody had written. */
  joined: number;
  ended: number;
}

/**
 * Spreads what the community did a moment ago over the days before, as if it had grown by itself:
 * of what the server answers only the times change, and what came later stays later.
 */
export async function spreadTimes(context: BrowserContext, made: Made): Promise<void> {
  await context.route("**/api/**", async (route) => {
    const isStream = route.request().url().includes("/api/events");
    if (isStream || route.request().method() !== "GET") return route.fallback();
    const response = await route.fetch();
    const type = response.headers()["content-type"] ?? "";
    if (!type.includes("json") || !response.ok()) return route.fulfill({ response });
    const json: unknown = JSON.parse(await response.text(), (name, value: unknown) =>
      names.has(name) && typeof value === "string" ? spread(value, made) : value,
    );
    return route.fulfill({ response, json });
  });
}

/** A second of making the community stands for hours of its life; any other time stays as it is. */
function spread(time: string, { began, joined, ended }: Made): string {
  const at = Date.parse(time);
  if (at < began || at > ended) return time;
  const ago =
    at < joined
      ? 6 * DAY + ((joined - at) / (joined - began)) * 14 * DAY
      : ((ended - at) / (ended - joined)) ** 2.2 * 6 * DAY;
  return new Date(ended - 4 * MINUTE - ago).toISOString();
}
