import type { MouseEvent } from "react";

/**
 * What a button does that takes something away without asking, or makes something. The second click of a
 * double click means the same as the first, and by then hits what slid into the place of what is gone.
 * A key has no second click: a browser counts none there.
 */
export function ignoreDoubleClick(action: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail <= 1) action();
  };
}
