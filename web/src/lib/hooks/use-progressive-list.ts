import { useDeferredValue, useState } from "react";
import { isHistoryReturn } from "@/lib/navigation/scroll-restoration";

const INITIAL_COUNT = 3;

/**
 * The start of a list, and all of it as soon as that has been painted: what is out of sight does
 * not keep the reader waiting. Who comes back to a page finds it whole.
 */
export function useProgressiveList<Item>(items: readonly Item[]): readonly Item[] {
  const [showsAllInitially] = useState(isHistoryReturn);
  const showsAll = useDeferredValue(true, showsAllInitially);
  return showsAll ? items : items.slice(0, INITIAL_COUNT);
}
