import { readStorage, writeStorage } from "./storage";

/** Where a reader was on a page. */
export interface Place {
  /** Pixels from its top. */
  top: number;
  /** The row in the middle of the screen, and its distance from the top of the screen. */
  row?: { id: string; top: number } | undefined;
}

/** Where the reader was on each visit of a page. */
export const places = new Map<string, Place>();
/** How many pages of each list were loaded, by the hash of its key. */
export const loadedPages = new Map<string, number>();

const KEY = "kith:places";
/** Visits that a reload remembers. */
const MOST = 50;

interface Kept {
  member: string;
  places: [string, Place][];
  pages: [string, number][];
}

/** Keeps the member's places in this tab for after a reload: positions and numbers, no content. */
export function keepPlaces(member: string): void {
  const kept: Kept = { member, places: [...places].slice(-MOST), pages: [...loadedPages] };
  writeStorage("sessionStorage", KEY, JSON.stringify(kept));
}

/** Recalls after a reload what was kept for this member, and drops what was kept for another. */
export function recallPlaces(member: string | null | undefined): void {
  try {
    const kept = JSON.parse(readStorage("sessionStorage", KEY) ?? "null") as Kept | null;
    if (!kept) return;
    if (kept.member !== member) return forgetPlaces();
    for (const [visit, place] of kept.places) places.set(visit, place);
    for (const [list, count] of kept.pages) loadedPages.set(list, count);
  } catch {
    forgetPlaces();
  }
}

/** Forgets everything, here and in the tab's storage. */
export function forgetPlaces(): void {
  places.clear();
  loadedPages.clear();
  writeStorage("sessionStorage", KEY, null);
}
