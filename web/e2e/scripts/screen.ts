import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";
import type { Kith } from "../server";
import type { Looker, Step } from "./look";
import type { Session } from "./session";
import { watch } from "./watcher";

/** A page that is watched, and looked at from inside. */
export interface Screen {
  page: Page;
  /** What the watcher has noticed so far. */
  noticed: readonly string[];
  /** Goes through screens, which show what they are to show and nothing else; no script does anything. */
  check(steps: readonly Step[]): Promise<void>;
  /** The same of something else that the looker does. */
  look<What extends keyof Looker>(what: What, ...how: Parameters<Looker[What]>): Promise<void>;
  close(): Promise<void>;
}

const lookerCode = codeOf(fileURLToPath(new URL("looker.ts", import.meta.url)));

/** A file of TypeScript as a browser takes it, without being a module. */
async function codeOf(path: string): Promise<string> {
  const { code } = await transformWithOxc(await readFile(path, "utf8"), path);
  return code.replace(/^export \{\};?$/m, "");
}

/** Opens Home, or the landing page for who has no session. `more` says how the browser is different. */
export async function openScreen(
  browser: Browser,
  kith: Kith,
  session?: Session,
  more: BrowserContextOptions = {},
): Promise<Screen> {
  const storageState = session?.state();
  const context = await browser.newContext({
    baseURL: kith.url,
    viewport: { width: 1440, height: 900 },
    ...(storageState && { storageState }),
    ...more,
  });
  const noticed = await watch(context, kith.url);
  await context.addInitScript({ content: await lookerCode });
  const page = await context.newPage();
  await page.goto("/");
  const look: Screen["look"] = async (what, ...how) => {
    const wrong = await page.evaluate(
      ([name, given]) =>
        (window.looker[name] as (...all: unknown[]) => Promise<string[]>)(...given),
      [what, how as unknown[]] as const,
    );
    expect([...wrong, ...noticed]).toEqual([]);
  };
  const check = (steps: readonly Step[]) => look("visit", steps);
  return { page, noticed, check, look, close: () => context.close() };
}
