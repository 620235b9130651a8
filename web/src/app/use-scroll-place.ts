import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import { arrive, rememberPlace } from "@/lib/scroll-start";
import { beginVisit, currentVisit } from "@/lib/visit";

/**
 * A new page starts at its beginning; going back or forward returns to where the reader was. Lists come
 * from the cache at once, so the place is there when the page is.
 */
export function useScrollPlace(): void {
  const [path] = useLocation();
  const visit = useRef("");
  const lastPath = useRef<string | null>(null);

  useLayoutEffect(() => {
    history.scrollRestoration = "manual";
  }, []);

  useLayoutEffect(() => {
    const known = currentVisit();
    // What this page has never seen is a reload: it begins at the start, on its old visit.
    visit.current = (known ?? beginVisit(lastPath.current)).visit;
    lastPath.current = path;
    arrive(visit.current);
  }, [path]);

  useEffect(() => {
    const remember = () => rememberPlace(visit.current);
    addEventListener("scroll", remember, { passive: true });
    return () => removeEventListener("scroll", remember);
  }, []);
}
