import type { Draft } from "./draft";
import type { DraftImage } from "./draft-images";

/**
 * A draft as this tab holds it, with what another tab made of `before` when it stored `after`. What
 * both changed stays as it is here: it was stored later than the other's, or could not be stored.
 */
export function mergeDrafts(mine: Draft, before: Draft, after: Draft): Draft {
  return {
    text: pick(mine.text, before.text, after.text),
    poll: pick(mine.poll, before.poll, after.poll),
    images: mergeImages(mine.images, before.images, after.images),
    attempt: pick(mine.attempt, before.attempt, after.attempt),
  };
}

/** Whether both tabs wrote texts of their own, of which neither holds the other. */
export function areTextsApart(mine: Draft, before: Draft, after: Draft): boolean {
  return ![before.text, after.text].includes(mine.text) && before.text !== after.text;
}

/** The images of both, in the other tab's order if it added, removed or moved any. */
function mergeImages(
  mine: readonly DraftImage[],
  before: readonly DraftImage[],
  after: readonly DraftImage[],
): readonly DraftImage[] {
  const [own, was, is] = [byId(mine), byId(before), byId(after)];
  const isAsBefore = isSame([...was.keys()], [...is.keys()]);
  const ids = isAsBefore ? own.keys() : new Set([...is.keys(), ...own.keys()]);
  return [...ids].flatMap((id) => {
    const here = own.get(id);
    const there = is.get(id);
    const old = was.get(id);
    // What one tab had and has no longer was removed there.
    if (!here) return there && !old ? [there] : [];
    if (!there) return old ? [] : [here];
    return [old ? pick(here, old, there) : there];
  });
}

function byId(images: readonly DraftImage[]): Map<string, DraftImage> {
  return new Map(images.map((image) => [image.id, image]));
}

function pick<T>(mine: T, before: T, after: T): T {
  return isSame(mine, before) ? after : mine;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
