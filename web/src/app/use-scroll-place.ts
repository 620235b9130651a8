import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import { keys } from "@/api/keys";
import { noteLoadedPages } from "@/api/lists";
import { queryClient } from "@/api/query-client";
import type { Me } from "@/api/types";
import { forgetPlaces, keepPlaces } from "@/lib/kept-places";
import { hintedMember } from "@/lib/member-hint";
import { arrive, rememberPlace, rowInSight } from "@/lib/scroll-start";
import { beginVisit, currentVisit } from "@/lib/visit";

/** Keeps for after a reload where the member is, and how much of each list is loaded. */
function keepForReload(visit: string): void {
  const member = queryClient.getQueryData<Me | null>(keys.me);
  if (!member || hintedMember() !== member.id) return forgetPlaces();
  rememberPlace(visit, rowInSight());
  noteLoadedPages();
  keepPlaces(member.id);
}

/**
 * A new page starts at its beginning; a reload, going back or forward returns to where the reader was. Lists come
 * from the cache at once, so the place is there when the page is.
 */
export function useScrollPlace(): void {
  const [path] = useLocation();
  const visit = useRef("");
  const lastPath = useRef<string | null>(null);

  useLayoutEffect(() => {
    history.scrollRestoration = "manual";
    const known = currentVisit();
    visit.current = (known ?? beginVisit(lastPath.current)).visit;
    lastPath.current = path;
    arrive(visit.current);
  }, [path]);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const remember = () => rememberPlace(visit.current);
    const keep = () => keepForReload(visit.current);
    addEventListener("scroll", remember, { passive: true, signal });
    addEventListener("pagehide", keep, { signal });
    // On phones a page in the background can end without another word.
    document.addEventListener("visibilitychange", () => document.hidden && keep(), { signal });
    return () => listening.abort();
  }, []);
}
