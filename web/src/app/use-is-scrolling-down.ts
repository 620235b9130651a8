import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { getLastProgrammaticScroll } from "@/lib/navigation/scroll-restoration";

/** Shorter scrolls, in pixels, are ignored: fingers tremble. */
const MIN_SCROLL_DISTANCE = 8;

/**
 * Whether the member scrolls down the page. Scrolling up ends it, as do the end of the page and another
 * page; a jump to where a page starts does not begin it.
 */
export function useIsScrollingDown(): boolean {
  const [path] = useLocation();
  const [shownPath, setShownPath] = useState(path);
  const [isScrollingDown, setScrollingDown] = useState(false);
  if (path !== shownPath) {
    setShownPath(path);
    setScrollingDown(false);
  }
  useEffect(() => {
    let lastScrollY = scrollY;
    function onScroll() {
      const distance = scrollY - lastScrollY;
      if (Math.abs(distance) < MIN_SCROLL_DISTANCE) return;
      lastScrollY = scrollY;
      setScrollingDown(distance > 0 && scrollY !== getLastProgrammaticScroll() && !isAtEnd());
    }
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, []);
  return isScrollingDown;
}

function isAtEnd(): boolean {
  return scrollY + innerHeight >= document.documentElement.scrollHeight - MIN_SCROLL_DISTANCE;
}
