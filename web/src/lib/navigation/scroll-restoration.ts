import { type ScrollPosition, savedPositions } from "./saved-scroll";
import { randomId } from "@/lib/text/random-id";

/** The app's state of a history entry: the visit's id, and the previous path. */
interface HistoryEntryState {
  visit: string;
  from: string | null;
}

/** Events of the viewer's own scrolling, after which the position is not restored any more. */
const USER_INPUT_EVENTS = ["wheel", "touchmove", "pointerdown", "keydown"];
/** The last scroll position that this module set, in pixels from the top. */
let lastProgrammaticScroll: number | undefined;

/** The visit on screen, and its path. */
let currentEntryId = "";
let currentPath: string | null = null;
/** Whether the reader has come back to it. */
let isRestoring = false;
/** The position to restore, until the page is long enough. */
let targetPosition: ScrollPosition | undefined;
let arrivalController = new AbortController();

/** Whether the reader came back to this page, by a reload or the history, and has done nothing since. */
export function isHistoryReturn(): boolean {
  const visit = getHistoryEntry()?.visit;
  if (visit === undefined) return false;
  return visit === currentEntryId
    ? isRestoring && !arrivalController.signal.aborted
    : savedPositions.has(visit);
}

/** The path from which the reader came here inside the app, or null. */
export function getReferrerPath(): string | null {
  return getHistoryEntry()?.from ?? null;
}

const getHistoryEntry = () => history.state as Partial<HistoryEntryState> | null;

/** Notes where the reader is; with the row in the middle, what comes above it meanwhile moves nothing. */
export function saveScrollPosition(row?: ScrollPosition["row"]): void {
  if (!targetPosition) savedPositions.set(currentEntryId, { top: scrollY, row });
}

/** Begins a page: its first visit, or again the one that its history entry names. */
export function restoreScroll(path: string): void {
  const { visit = randomId(), from = currentPath } = getHistoryEntry() ?? {};
  history.replaceState({ ...getHistoryEntry(), visit, from }, "");
  arrivalController.abort();
  arrivalController = new AbortController();
  currentEntryId = visit;
  currentPath = path;
  targetPosition = savedPositions.get(visit);
  isRestoring = targetPosition !== undefined;
  if (isRestoring) restoreWhenContentGrows(arrivalController);
  scrollToStart();
}

/**
 * Restores the scroll position of this visit or, on a first visit, scrolls to the element with
 * `data-scroll-start`, else to the top. A page whose content loads late calls it again.
 */
export function scrollToStart(): void {
  const start = document.querySelector("[data-scroll-start]");
  if (isRestoring) scrollToTarget();
  else if (start) start.scrollIntoView();
  else scrollTo(0, 0);
  lastProgrammaticScroll = scrollY;
}

/** The last position of `scrollToStart`, in pixels from the top. */
export function getLastProgrammaticScroll(): number | undefined {
  return lastProgrammaticScroll;
}

/** Tries again whenever the page grows, until the reader is there or takes over. */
function restoreWhenContentGrows(controller: AbortController): void {
  const { signal } = controller;
  const observer = new ResizeObserver(scrollToTarget);
  observer.observe(document.body);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    targetPosition = undefined;
  });
  for (const input of USER_INPUT_EVENTS) {
    addEventListener(input, () => controller.abort(), { signal, capture: true, passive: true });
  }
}

function scrollToTarget(): void {
  if (!targetPosition) return;
  const { top, row } = targetPosition;
  const element = row && document.querySelector(`main [data-row="${CSS.escape(row.id)}"]`);
  const distance = () =>
    element && row ? element.getBoundingClientRect().top - row.top : top - scrollY;
  scrollBy(0, distance());
  lastProgrammaticScroll = scrollY;
  if (Math.abs(distance()) <= 1) targetPosition = undefined;
}

/** The row in the middle of the screen. */
export function getRowInView(): ScrollPosition["row"] {
  const main = document.querySelector("main")?.getBoundingClientRect();
  if (!main) return undefined;
  const middle = document.elementsFromPoint(main.left + main.width / 2, innerHeight / 2);
  const row = middle.map((it) => it.closest<HTMLElement>("main [data-row]")).find(Boolean);
  const id = row?.dataset["row"];
  return row && id ? { id, top: row.getBoundingClientRect().top } : undefined;
}
