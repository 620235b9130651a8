import type { BrowserContext } from "@playwright/test";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const names = new Set(["createdAt", "expiresAt", "usedAt"]);

/** When the community was created, in milliseconds. */
export interface CreationTimes {
  began: number;
  /** All members had joined, and the first post followed. */
  joined: number;
  ended: number;
}

/**
 * Spreads the community's activity of the last seconds over the days before, as if it had grown slowly.
 * Only times in responses change, and their order stays.
 */
export async function spreadTimes(context: BrowserContext, made: CreationTimes): Promise<void> {
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

/** Maps a time of creating the community to one of the days before; other times stay. */
function spread(time: string, { began, joined, ended }: CreationTimes): string {
  const at = Date.parse(time);
  if (at < began || at > ended) return time;
  const ago =
    at < joined
      ? 6 * DAY + ((joined - at) / (joined - began)) * 14 * DAY
      : ((ended - at) / (ended - joined)) ** 2.2 * 6 * DAY;
  return new Date(ended - 4 * MINUTE - ago).toISOString();
}
