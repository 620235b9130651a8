import { useDeferredValue, useState } from "react";
import { isReturn } from "./scroll-start";

const FEW = 3;

/**
 * The start of a list, and all of it as soon as that has been painted: what is out of sight does
 * not keep the reader waiting. Who comes back to a page finds it whole.
 */
export function useFirstFew<Item>(items: readonly Item[]): readonly Item[] {
  const [atOnce] = useState(isReturn);
  const rest = useDeferredValue(true, atOnce);
  return rest ? items : items.slice(0, FEW);
}
