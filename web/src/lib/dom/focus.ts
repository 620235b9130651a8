/** The element of the page that had the focus last, the posts after it and those before it. */
let focusCandidates: readonly HTMLElement[] = [];

export function focusMain(): void {
  document.querySelector("main")?.focus({ preventScroll: true });
}

/**
 * Returns the focus from an overlay that closed to the element that had it before; if that is gone, to
 * where the focus was in the page. An element that has taken the focus meanwhile keeps it.
 */
export function restoreFocus(opener?: Element | null): void {
  if (document.activeElement !== document.body) return;
  const openers = opener instanceof HTMLElement && opener !== document.body ? [opener] : [];
  const target = [...openers, ...focusCandidates].find(({ isConnected }) => isConnected);
  if (target) target.focus({ preventScroll: true });
  else focusMain();
}

/** Keeps the focus in the page when the element that has it is removed. */
export function preserveFocus(root: Element): void {
  root.addEventListener("focusin", ({ target }) => {
    const posts = [...document.querySelectorAll<HTMLElement>("main article")];
    const index = posts.findIndex((post) => post.contains(target as HTMLElement));
    const nearbyPosts =
      index === -1 ? [] : [...posts.slice(index), ...posts.slice(0, index).toReversed()];
    focusCandidates = [target as HTMLElement, ...nearbyPosts];
  });
  const observer = new MutationObserver(() => {
    if (focusCandidates[0]?.isConnected === false) restoreFocus();
  });
  observer.observe(root, { childList: true, subtree: true });
}
