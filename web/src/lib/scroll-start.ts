import { currentVisit } from "./visit";

/** Where the reader was on each visit of a page, in pixels from its top. */
const places = new Map<string, number>();
let leftAt: number | undefined;

/** Whether the reader was on this page before, and came back by the browser's history. */
export function isReturn(): boolean {
  const known = currentVisit();
  return known !== null && places.has(known.visit);
}

/** Notes where the reader is. */
export function rememberPlace(visit: string): void {
  places.set(visit, scrollY);
}

/** Forgets all places, as the session ends. */
export function forgetPlaces(): void {
  places.clear();
}

/** Begins a page. */
export function arrive(visit: string): void {
  leftAt = places.get(visit);
  goToStart();
}

/**
 * Goes to where the reader left this page or, on a first visit, to the element with
 * `data-scroll-start`, else to the top. A page whose content comes late asks for it once more.
 */
export function goToStart(): void {
  const start = document.querySelector("[data-scroll-start]");
  if (leftAt !== undefined) scrollTo(0, leftAt);
  else if (start) start.scrollIntoView();
  else scrollTo(0, 0);
}
