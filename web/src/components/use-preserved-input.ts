import { useState } from "react";

/** Form values by the form's name. */
const preservedInputs = new Map<string, unknown>();

/**
 * A form's values, which stay until it opens again, because Back closes a dialog without a confirmation.
 * `discardPreservedInput` deletes them.
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
