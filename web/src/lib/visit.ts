import { randomKey } from "./random-key";

/** What the app notes in each history entry: which visit it is, and from which path it was reached. */
export interface Visit {
  visit: string;
  from: string | null;
}

/** The note in the current history entry, if there is one yet. */
export function currentVisit(): Visit | null {
  const state = history.state as Partial<Visit> | null;
  return state?.visit === undefined ? null : (state as Visit);
}

/** Notes a new visit in the current history entry. */
export function beginVisit(from: string | null): Visit {
  const visit = { visit: randomKey(), from };
  history.replaceState({ ...(history.state as object | null), ...visit }, "");
  return visit;
}

/** The path from which the reader came here inside the app, or null. */
export function cameFrom(): string | null {
  return currentVisit()?.from ?? null;
}
