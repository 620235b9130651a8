import { type Place, places } from "./kept-places";
import { randomKey } from "./random-key";

/** What the app notes in each history entry: which visit it is, and from which path it was reached. */
interface Visit {
  visit: string;
  from: string | null;
}

/** What tells that the reader has taken over, and is not to be moved any more. */
const INPUTS = ["wheel", "touchmove", "pointerdown", "keydown"];
/** Where the page was scrolled to last by this module, in pixels from its top. */
let jumpedTo: number | undefined;

/** The visit on screen, and its path. */
let shown = "";
let shownPath: string | null = null;
/** Whether the reader has come back to it. */
let isBack = false;
/** Where they were, until the page is long enough to take them there. */
let left: Place | undefined;
let arrival = new AbortController();

/** Whether the reader came back to this page, by a reload or the history, and has done nothing since. */
export function isReturn(): boolean {
  const visit = currentVisit()?.visit;
  if (visit === undefined) return false;
  return visit === shown ? isBack && !arrival.signal.aborted : places.has(visit);
}

/** The path from which the reader came here inside the app, or null. */
export function cameFrom(): string | null {
  return currentVisit()?.from ?? null;
}

const currentVisit = () => history.state as Partial<Visit> | null;

/** Notes where the reader is; with the row in the middle, what comes above it meanwhile moves nothing. */
export function rememberPlace(row?: Place["row"]): void {
  if (!left) places.set(shown, { top: scrollY, row });
}

/** Begins a page: its first visit, or again the one that its history entry names. */
export function arrive(path: string): void {
  const { visit = randomKey(), from = shownPath } = currentVisit() ?? {};
  history.replaceState({ ...currentVisit(), visit, from }, "");
  arrival.abort();
  arrival = new AbortController();
  shown = visit;
  shownPath = path;
  left = places.get(visit);
  isBack = left !== undefined;
  if (isBack) awaitContent(arrival);
  goToStart();
}

/**
 * Goes to where the reader left this page or, on a first visit, to the element with
 * `data-scroll-start`, else to the top. A page whose content comes late asks for it once more.
 */
export function goToStart(): void {
  const start = document.querySelector("[data-scroll-start]");
  if (isBack) goBack();
  else if (start) start.scrollIntoView();
  else scrollTo(0, 0);
  jumpedTo = scrollY;
}

/** Where `goToStart` went last, in pixels from the top. */
export function lastJump(): number | undefined {
  return jumpedTo;
}

/** Tries again whenever the page grows, until the reader is there or takes over. */
function awaitContent(waiting: AbortController): void {
  const { signal } = waiting;
  const grown = new ResizeObserver(goBack);
  grown.observe(document.body);
  signal.addEventListener("abort", () => {
    grown.disconnect();
    left = undefined;
  });
  for (const input of INPUTS) {
    addEventListener(input, () => waiting.abort(), { signal, capture: true, passive: true });
  }
}

function goBack(): void {
  if (!left) return;
  const { top, row } = left;
  const element = row && document.querySelector(`main [data-row="${CSS.escape(row.id)}"]`);
  const distance = () =>
    element && row ? element.getBoundingClientRect().top - row.top : top - scrollY;
  scrollBy(0, distance());
  jumpedTo = scrollY;
  if (Math.abs(distance()) <= 1) left = undefined;
}

/** The row in the middle of the screen. */
export function rowInSight(): Place["row"] {
  const main = document.querySelector("main")?.getBoundingClientRect();
  if (!main) return undefined;
  const middle = document.elementsFromPoint(main.left + main.width / 2, innerHeight / 2);
  const row = middle.map((it) => it.closest<HTMLElement>("main [data-row]")).find(Boolean);
  const id = row?.dataset["row"];
  return row && id ? { id, top: row.getBoundingClientRect().top } : undefined;
}
