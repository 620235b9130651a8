import { useCallback, useSyncExternalStore } from "react";

/** Media queries for the layouts of a member's pages, as `md:` and `xl:` in the styles. */
export const layoutQueries = {
  /** A left column instead of the bars above and below. */
  columns: "(min-width: 43.75rem)",
  /** A right column beside the feed. */
  rail: "(min-width: 64rem)",
  /** Words beside the icons of the left column. */
  labels: "(min-width: 80rem)",
} as const;

/** Whether the window matches a media query, now and whenever that changes. */
export function useMediaQuery(query: string): boolean {
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

export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether the member asked the browser to save data. */
export function prefersReducedData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
