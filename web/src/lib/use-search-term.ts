import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
// The other one has decoded the query once: `c++` would become `c`, and `R&B` would become `R`.
import { useSearch } from "wouter/use-browser-location";
import { isBlank } from "./post-text";

const PAUSE = 300;

/** What is typed into a search box, and the term that is searched for: `q` in the address. */
export interface SearchTerm {
  typed: string;
  /** Empty while nothing is searched for. */
  term: string;
  /** Whether the term is still to follow what is typed. */
  isPending: boolean;
  type: (text: string) => void;
  /** Searches for what is typed without waiting for a pause. */
  submit: () => void;
}

/**
 * Keeps the term in the address, where going back and reloading find it; it follows the typing
 * after a pause. An address that changes by itself changes the box too.
 */
export function useSearchTerm(): SearchTerm {
  const [path, navigate] = useLocation();
  const asked = termIn(useSearch());
  const [typed, setTyped] = useState(asked);
  const [seen, setSeen] = useState(asked);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  if (asked !== seen) {
    setSeen(asked);
    if (asked !== termOf(typed)) setTyped(asked);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(text: string) {
    clearTimeout(timer.current);
    const term = termOf(text);
    // The reader may have gone back meanwhile: then the address has the last word.
    if (term === asked || termIn(location.search) !== asked) return;
    const query = term === "" ? "" : `?${new URLSearchParams({ q: term }).toString()}`;
    navigate(`${path}${query}`, { replace: true, state: history.state as unknown });
  }

  return {
    typed,
    term: asked,
    isPending: termOf(typed) !== asked,
    type(text) {
      setTyped(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => search(text), PAUSE);
    },
    submit: () => search(typed),
  };
}

function termIn(query: string): string {
  return termOf(new URLSearchParams(query).get("q") ?? "");
}

function termOf(text: string): string {
  return isBlank(text) ? "" : text.trim();
}
