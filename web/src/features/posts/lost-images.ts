import { readStorage, writeStorage } from "@/lib/storage";
import { createStore, type Store } from "@/lib/store";
import type { DraftImage } from "./draft-images";

// Of this tab only: in another one the same images may still be uploading.
const PREFIX = "kith:unfinished:";

/**
 * Counts a draft's images that are not uploaded yet, in the tab's storage. Returns how many of them a
 * reload has lost; set to 0 once the member knows.
 */
export function countLostImages(
  draftName: string,
  draft: Store<{ images: readonly DraftImage[] }>,
): Store<number> {
  const name = PREFIX + draftName;
  const lost = createStore(Number(readStorage("sessionStorage", name) ?? 0) || 0);
  const keep = () => {
    const unfinished = draft.get().images.filter(({ ready }) => !ready).length;
    const count = lost.get() + unfinished;
    writeStorage("sessionStorage", name, count === 0 ? null : String(count));
  };
  draft.subscribe(keep);
  lost.subscribe(keep);
  return lost;
}
