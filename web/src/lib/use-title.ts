import { useEffect } from "react";
import { countLabel } from "./count";
import { createStore, useStore } from "./store";

const unread = createStore(0);

/** Names the page in the browser's tab and history, after the number of things to read. */
export function useTitle(title: string): void {
  const count = useStore(unread);
  useEffect(() => {
    const name = title === "" ? "Kith" : `${title} · Kith`;
    document.title = count > 0 ? `(${countLabel(count)}) ${name}` : name;
  }, [title, count]);
}

/** Shows a number of things to read in the title of every page, for as long as the caller is there. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    unread.set(count);
    return () => unread.set(0);
  }, [count]);
}
