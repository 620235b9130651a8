import { useState } from "react";
import { readStorage, writeStorage } from "@/lib/storage/web-storage";

/** The newest version of a notice that was closed on this device, and what closes one. */
export function useClosedVersion(key: string): [number, (version: number) => void] {
  const [closed, setClosed] = useState(() => Number(readStorage("localStorage", key) ?? 0));
  function close(version: number) {
    writeStorage("localStorage", key, String(version));
    setClosed(version);
  }
  return [closed, close];
}
