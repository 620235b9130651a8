let wanted = false;

/**
 * Moves the focus to the search box in sight. Where none is, answers false, and the next one to
 * appear takes the focus.
 */
export function focusSearch(): boolean {
  const boxes = document.querySelectorAll<HTMLInputElement>("input[type='search']");
  const box = [...boxes].find((found) => found.checkVisibility());
  wanted = !box;
  box?.select();
  box?.focus();
  return box !== undefined;
}

/** Whether a search box that appears now takes the focus; yes once for each time it was wanted. */
export function takeSearchFocus(): boolean {
  const taken = wanted;
  wanted = false;
  return taken;
}
