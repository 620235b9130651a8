/** Moves the focus to the beginning of the page, when what had it goes away. */
export function focusMain(): void {
  document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
}
