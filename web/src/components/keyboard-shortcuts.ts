import { createStore } from "@/lib/state/store";
import { readStorage, writeStorage } from "@/lib/storage/web-storage";

const STORAGE_KEY = "kith:shortcuts";

/** Whether single keys are shortcuts on this device: speech input would press them by accident. */
export const areShortcutsEnabled = createStore(readStorage("localStorage", STORAGE_KEY) !== "off");

export function setShortcutsEnabled(isEnabled: boolean): void {
  writeStorage("localStorage", STORAGE_KEY, isEnabled ? null : "off");
  areShortcutsEnabled.set(isEnabled);
}
