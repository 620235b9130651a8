import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { getLastProgrammaticScroll } from "@/lib/navigation/scroll-restoration";

/** Movements below so many pixels say nothing: a finger trembles. */
const STEP = 8;

/**
 * Whether the member scrolls down the page. Scrolling up ends it, as do the end of the page and another
 * page; a jump to where a page starts does not begin it.
 */
export function useIsReading(): boolean {
  const [path] = useLocation();
  const [shownPath, setShownPath] = useState(path);
  const [isReading, setReading] = useState(false);
  if (path !== shownPath) {
    setShownPath(path);
    setReading(false);
  }
  useEffect(() => {
    let last = scrollY;
    function onScroll() {
      const moved = scrollY - last;
      if (Math.abs(moved) < STEP) return;
      last = scrollY;
      setReading(moved > 0 && scrollY !== getLastProgrammaticScroll() && !isAtEnd());
    }
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, []);
  return isReading;
}

function isAtEnd(): boolean {
  return scrollY + innerHeight >= document.documentElement.scrollHeight - STEP;
}
