import { readStorage, writeStorage } from "@/lib/storage/web-storage";
import { createStore } from "@/lib/state/store";

/** The member's choice; `system` follows the device. */
export type Theme = "light" | "dark" | "system";

const STORAGE_KEY = "vite-ui-theme";
const darkSchemeQuery = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

function readStoredTheme(): Theme {
  const stored = readStorage("localStorage", STORAGE_KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export const theme = createStore<Theme>(readStoredTheme());

export const isDark = createStore(resolveIsDark());

export function setTheme(next: Theme): void {
  writeStorage("localStorage", STORAGE_KEY, next);
  theme.set(next);
}

/** Keeps the page in step with the device and with this site's other tabs. */
export function initTheme(): void {
  theme.subscribe(applyTheme);
  darkSchemeQuery?.addEventListener("change", applyTheme);
  addEventListener("storage", ({ key }) => {
    if (key === STORAGE_KEY || key === null) theme.set(readStoredTheme());
  });
  applyTheme();
}

function resolveIsDark(): boolean {
  return theme.get() === "dark" || (theme.get() === "system" && Boolean(darkSchemeQuery?.matches));
}

function applyTheme(): void {
  const dark = resolveIsDark();
  isDark.set(dark);
  document.documentElement.classList.toggle("dark", dark);
  const backgroundColor = dark ? "#120f0c" : "#fcfaf6";
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = backgroundColor;
  }
}
