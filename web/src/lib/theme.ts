import { readStorage, writeStorage } from "./storage";
import { createStore } from "./store";

/** What the member chose; `system` follows the device. */
export type Theme = "light" | "dark" | "system";

const KEY = "vite-ui-theme";
const darkDevice = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

function read(): Theme {
  const stored = readStorage("localStorage", KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export const theme = createStore<Theme>(read());

export const isDark = createStore(resolve());

export function chooseTheme(next: Theme): void {
  writeStorage("localStorage", KEY, next);
  theme.set(next);
}

/** Keeps the page in step with the device and with this site's other tabs. */
export function followTheme(): void {
  theme.subscribe(apply);
  darkDevice?.addEventListener("change", apply);
  addEventListener("storage", ({ key }) => {
    if (key === KEY || key === null) theme.set(read());
  });
  apply();
}

function resolve(): boolean {
  return theme.get() === "dark" || (theme.get() === "system" && Boolean(darkDevice?.matches));
}

function apply(): void {
  const dark = resolve();
  isDark.set(dark);
  document.documentElement.classList.toggle("dark", dark);
  const paper = dark ? "#120f0c" : "#fcfaf6";
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = paper;
  }
}
