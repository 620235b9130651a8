import { useState } from "react";

/** What was typed into forms, by the form's name. */
const preservedInputs = new Map<string, unknown>();

/**
 * What a member types into a form, kept for the next time that the form opens: Back closes a dialog
 * without asking, and must not lose it. `discardPreservedInput` ends that.
 */
export function usePreservedInput<T>(form: string, initial: T): [T, (input: T) => void] {
  const [input, setInput] = useState(() =>
    preservedInputs.has(form) ? (preservedInputs.get(form) as T) : initial,
  );
  function change(next: T) {
    preservedInputs.set(form, next);
    setInput(next);
  }
  return [input, change];
}

/** Drops what was typed into these forms: it was sent, or the member closed the form. */
export function discardPreservedInput(...forms: string[]): void {
  for (const form of forms) preservedInputs.delete(form);
}
