import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "wouter";
// The other one has decoded the query once: `c++` would become `c`, and `R&B` would become `R`.
import { useSearch } from "wouter/use-browser-location";
import { isBlank } from "@/lib/text/post-text";

const DEBOUNCE_MS = 300;

/**
 * What is typed into a search box, and the term that is searched for. The term is in the URL, where going
 * back and reloading find it; it follows the typing after a pause. A URL that changes by itself changes
 * the box too.
 */
export function useSearchParamInput() {
  const [path, navigate] = useLocation();
  const term = parseTerm(useSearch());
  const [value, setValue] = useState(term);
  const [lastTerm, setLastTerm] = useState(term);
  if (term !== lastTerm) {
    setLastTerm(term);
    if (term !== normalizeTerm(value)) setValue(term);
  }

  function search(text: string) {
    const next = normalizeTerm(text);
    // The reader may have gone back meanwhile: then the URL has the last word.
    if (next === term || parseTerm(location.search) !== term) return;
    const query = next === "" ? "" : `?${new URLSearchParams({ q: next }).toString()}`;
    navigate(`${path}${query}`, { replace: true, state: history.state as unknown });
  }

  const searchLater = useEffectEvent(search);
  useEffect(() => {
    const timer = setTimeout(() => searchLater(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  const submit = () => search(value);
  return { value, setValue, term, isPending: normalizeTerm(value) !== term, submit };
}

function parseTerm(query: string): string {
  return normalizeTerm(new URLSearchParams(query).get("q") ?? "");
}

function normalizeTerm(text: string): string {
  return isBlank(text) ? "" : text.trim();
}
