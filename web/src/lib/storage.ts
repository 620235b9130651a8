type Kind = "localStorage" | "sessionStorage";

/** The value stored under a key; undefined where storage is switched off. */
export function readStorage(kind: Kind, key: string): string | null | undefined {
  try {
    return globalThis[kind].getItem(key);
  } catch {
    return undefined;
  }
}

/** Stores a value, or deletes it if it is null. Returns whether it could: storage may be full or switched off. */
export function writeStorage(kind: Kind, key: string, value: string | null): boolean {
  try {
    if (value === null) globalThis[kind].removeItem(key);
    else globalThis[kind].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
