import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to the first field that the server refused, so that its sentence is read. */
export function useFocusInvalid(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [error]);
  return form;
}
