import { useLayoutEffect, useRef } from "react";

/**
 * Gives the focus back to whatever had it when a dialog opened. The dialogs here are opened by
 * state and not by a trigger of their own, so the primitive does not know where to return to.
 */
export function useReturnFocus(open: boolean): (event: Event) => void {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return (event) => {
    event.preventDefault();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
}
