import type { BrowserContext } from "@playwright/test";

const MINUTE = 60_000;
const names = new Set(["createdAt", "expiresAt", "usedAt"]);

/** Between which moments, in milliseconds, the community was made. */
export interface Made {
  began: number;
  ended: number;
}

/**
 * Spreads what the community did a moment ago over the days before, as if it had grown by itself:
 * of what the server answers only the times change, and what came later stays later.
 */
export async function spreadTimes(context: BrowserContext, made: Made): Promise<void> {
  await context.route("**/api/**", async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
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
function spread(time: string, { began, ended }: Made): string {
  const at = Date.parse(time);
  if (at < began || at > ended) return time;
  const share = (ended - at) / (ended - began);
  return new Date(ended - 4 * MINUTE - share ** 2.2 * 6 * 24 * 60 * MINUTE).toISOString();
}
