import { readStorage, writeStorage } from "@/lib/storage/web-storage";

/** A scroll position on a page. */
export interface ScrollPosition {
  /** Pixels from its top. */
  top: number;
  /** The row in the middle of the screen, and its distance from the top of the screen. */
  row?: { id: string; top: number } | undefined;
}

/** The scroll position of each visit of a page. */
export const savedPositions = new Map<string, ScrollPosition>();
/** How many pages of each list were loaded, by the hash of its key. */
export const loadedPages = new Map<string, number>();

const STORAGE_KEY = "kith:places";
/** Number of scroll positions that are kept for a reload. */
const MAX_SAVED_POSITIONS = 50;

interface StoredScroll {
  member: string;
  places: [string, ScrollPosition][];
  pages: [string, number][];
}

/** Stores the member's scroll positions in this tab for a reload: positions and numbers, no content. */
export function persistSavedScroll(userId: string): void {
  const stored: StoredScroll = {
    member: userId,
    places: [...savedPositions].slice(-MAX_SAVED_POSITIONS),
    pages: [...loadedPages],
  };
  writeStorage("sessionStorage", STORAGE_KEY, JSON.stringify(stored));
}

/** Loads the stored positions of this member after a reload, and deletes those of another. */
export function loadSavedScroll(userId: string | null | undefined): void {
  try {
    const stored = JSON.parse(
      readStorage("sessionStorage", STORAGE_KEY) ?? "null",
    ) as StoredScroll | null;
    if (!stored) return;
    if (stored.member !== userId) return clearSavedScroll();
    for (const [visit, place] of stored.places) savedPositions.set(visit, place);
    for (const [list, count] of stored.pages) loadedPages.set(list, count);
  } catch {
    clearSavedScroll();
  }
}

/** Deletes all positions, in memory and in the tab's storage. */
export function clearSavedScroll(): void {
  savedPositions.clear();
  loadedPages.clear();
  writeStorage("sessionStorage", STORAGE_KEY, null);
}
