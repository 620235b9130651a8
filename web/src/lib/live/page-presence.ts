/** How long a page in the background is still kept up to date. */
const HIDDEN_GRACE_MS = 5 * 60_000;

/**
 * Calls `onChange` when the page begins and ceases to be worth keeping up to date: it is not while the browser
 * is offline, after five minutes in the background, or once the page is left. Returns a function that ends it.
 */
export function watchPagePresence(onChange: (isPresent: boolean) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let isPresent = false;
  let isHiddenLong = false;
  let isLeft = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function update() {
    const next = navigator.onLine && !isHiddenLong && !isLeft;
    if (next === isPresent || signal.aborted) return;
    isPresent = next;
    onChange(next);
  }

  function checkVisibility() {
    clearTimeout(timer);
    isHiddenLong = false;
    if (document.hidden) {
      timer = setTimeout(() => {
        isHiddenLong = true;
        update();
      }, HIDDEN_GRACE_MS);
    }
    update();
  }

  // The browser keeps a page for Back only if nothing of it stays connected.
  const setLeft = (left: boolean) => () => {
    isLeft = left;
    update();
  };
  addEventListener("online", update, { signal });
  addEventListener("offline", update, { signal });
  addEventListener("pagehide", setLeft(true), { signal });
  addEventListener("pageshow", setLeft(false), { signal });
  document.addEventListener("visibilitychange", checkVisibility, { signal });
  checkVisibility();
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
