type StorageName = "localStorage" | "sessionStorage";

/** The value stored under a key; undefined where storage is switched off. */
export function readStorage(storage: StorageName, key: string): string | null | undefined {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return undefined;
  }
}

/** Stores a value, or deletes it if it is null. Returns whether it could: storage may be full or switched off. */
export function writeStorage(storage: StorageName, key: string, value: string | null): boolean {
  try {
    if (value === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
