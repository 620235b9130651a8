import { type ReactNode, useLayoutEffect } from "react";

/**
 * Keeps the page behind a dialog from scrolling, by a rule in `styles/main.css`. The build puts it in the
 * place of the library that the primitives use: that one injects a <style> element, which the content
 * security policy refuses.
 */
export function RemoveScroll({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    const { dataset, clientWidth } = document.documentElement;
    // The dialog below has locked it, and stays for longer.
    if (dataset["scrollLocked"] !== undefined) return;
    dataset["scrollLocked"] = innerWidth > clientWidth ? "gutter" : "";
    return () => void delete dataset["scrollLocked"];
  }, []);
  return children;
}
