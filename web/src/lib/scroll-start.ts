let leftAt: number | null = null;

/** Begins a page: where the reader left it before (pixels from its top), or null on a first visit. */
export function arrive(place: number | null): void {
  leftAt = place;
  goToStart();
}

/**
 * Goes to where the reader left this page or, on a first visit, to the element with
 * `data-scroll-start`, else to the top. A page whose content comes late asks for it once more.
 */
export function goToStart(): void {
  const start = document.querySelector("[data-scroll-start]");
  if (leftAt !== null) scrollTo(0, leftAt);
  else if (start) start.scrollIntoView();
  else scrollTo(0, 0);
}
