import { type ReactNode, useLayoutEffect } from "react";

/**
 * Prevents the page behind a dialog from scrolling, with a rule in `styles/main.css`. The build replaces
 * the primitives' own library with it, whose injected <style> element the content security policy blocks.
 */
export function RemoveScroll({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    const { dataset, clientWidth } = document.documentElement;
    // An outer dialog, which closes later, has set the lock already.
    if (dataset["scrollLocked"] !== undefined) return;
    dataset["scrollLocked"] = innerWidth > clientWidth ? "gutter" : "";
    return () => void delete dataset["scrollLocked"];
  }, []);
  return children;
}
