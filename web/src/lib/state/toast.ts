import { t } from "@lingui/core/macro";
import { readStorage, writeStorage } from "@/lib/storage/web-storage";
import { createStore } from "./store";

/** A short message that appears over the page and, without an action, leaves by itself. */
export interface Toast {
  id: number;
  title: string;
  description?: string | undefined;
  /** Something went wrong: shown in red and announced without waiting. */
  destructive?: boolean | undefined;
  /** A button in the toast, which then stays until it is dismissed. */
  action?: { label: string; run: () => void } | undefined;
}

/** The toast on screen. There is one at a time: a newer one takes its place. */
export const currentToast = createStore<Toast | null>(null);

let lastId = 0;

/** Shows a message. */
export function toast(message: Omit<Toast, "id">): void {
  lastId += 1;
  currentToast.set({ ...message, id: lastId });
}

/** Shows that something failed. */
export function toastError(description: string, title = t`Error`): void {
  toast({ title, description, destructive: true });
}

const NEXT_TOAST_KEY = "kith:toast";

/** Shows a title on the page that is loaded in the place of this one. */
export function toastAfterReload(title: string): void {
  writeStorage("sessionStorage", NEXT_TOAST_KEY, title);
}

/** Shows what the page before this one left to be shown. */
export function showToastAfterReload(): void {
  const title = readStorage("sessionStorage", NEXT_TOAST_KEY);
  writeStorage("sessionStorage", NEXT_TOAST_KEY, null);
  if (title) toast({ title });
}
