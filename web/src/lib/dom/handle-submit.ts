import type { SyntheticEvent } from "react";

/**
 * Has a form submitted by the page instead of the browser. The event goes no further: React passes what
 * happens in a dialog on to the form that opened it.
 */
export function handleSubmit(submit: () => void) {
  return (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    submit();
  };
}
