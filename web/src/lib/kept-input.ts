import { useState } from "react";

/** What was typed into forms, by the form's name. */
const kept = new Map<string, unknown>();

/**
 * What a member types into a form, kept for the next time that the form opens: Back closes a dialog
 * without asking, and must not lose it. `dropInput` ends that.
 */
export function useKeptInput<T>(form: string, initial: T): [T, (input: T) => void] {
  const [input, setInput] = useState(() => (kept.has(form) ? (kept.get(form) as T) : initial));
  function change(next: T) {
    kept.set(form, next);
    setInput(next);
  }
  return [input, change];
}

/** Drops what was typed into these forms: it was sent, or the member closed the form. */
export function dropInput(...forms: string[]): void {
  for (const form of forms) kept.delete(form);
}
