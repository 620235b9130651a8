import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";
import type { Kith } from "../server";
import type { PageChecker, Step } from "./page-checker-types";
import type { Session } from "./session";
import { watch } from "./watcher";

/** A watched page with a page checker. */
export interface Screen {
  page: Page;
  /** The incidents of the watcher so far. */
  noticed: readonly string[];
  /** Opens screens, and expects their content, no foreign elements and no incident. */
  check(steps: readonly Step[]): Promise<void>;
  /** Runs a method of the page checker, and expects no problem and no incident. */
  run<Method extends keyof PageChecker>(
    method: Method,
    ...args: Parameters<PageChecker[Method]>
  ): Promise<void>;
  close(): Promise<void>;
}

const pageCheckerCode = compileScript(fileURLToPath(new URL("page-checker.ts", import.meta.url)));

/** Compiles a TypeScript file to a classic script. */
async function compileScript(path: string): Promise<string> {
  const { code } = await transformWithOxc(await readFile(path, "utf8"), path);
  return code.replace(/^export \{\};?$/m, "");
}

/** Opens Home, or without a session the landing page. `more` are options of the browser context. */
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
  await context.addInitScript({ content: await pageCheckerCode });
  const page = await context.newPage();
  await page.goto("/");
  const run: Screen["run"] = async (method, ...args) => {
    const wrong = await page.evaluate(
      ([name, given]) =>
        (window.pageChecker[name] as (...all: unknown[]) => Promise<string[]>)(...given),
      [method, args as unknown[]] as const,
    );
    expect([...wrong, ...noticed]).toEqual([]);
  };
  const check = (steps: readonly Step[]) => run("visit", steps);
  return { page, noticed, check, run, close: () => context.close() };
}
