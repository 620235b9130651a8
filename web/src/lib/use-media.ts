import { useCallback, useSyncExternalStore } from "react";

/** Whether the window matches a media query, now and whenever that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  const matches = () => matchMedia(query).matches;
  return useSyncExternalStore(subscribe, matches, matches);
}

export function prefersLessMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether the member asked the browser to save data. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
