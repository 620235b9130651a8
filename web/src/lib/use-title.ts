import { useEffect } from "react";
import { countLabel } from "./count";

let page = "Kith";
let unread = 0;

function show() {
  document.title = unread > 0 ? `(${countLabel(unread)}) ${page}` : page;
}

/** Names the page in the browser's tab and history, after the number of things to read. */
export function useTitle(title: string): void {
  useEffect(() => {
    page = title === "" ? "Kith" : `${title} · Kith`;
    show();
  }, [title]);
}

/** Shows a number of things to read in the title of every page, for as long as the caller is there. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    unread = count;
    show();
    return () => {
      unread = 0;
      show();
    };
  }, [count]);
}
