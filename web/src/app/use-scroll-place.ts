import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import { arrive } from "@/lib/scroll-start";
import { beginVisit, currentVisit } from "@/lib/visit";

const places = new Map<string, number>();

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
    const isReturn = known !== null && places.has(known.visit);
    if (isReturn) visit.current = known.visit;
    else visit.current = (known ?? beginVisit(lastPath.current)).visit;
    lastPath.current = path;
    arrive(places.get(visit.current) ?? null);
  }, [path]);

  useEffect(() => {
    const remember = () => places.set(visit.current, scrollY);
    addEventListener("scroll", remember, { passive: true });
    return () => removeEventListener("scroll", remember);
  }, []);
}
