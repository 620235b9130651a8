import { detachOverlays } from "./overlay-history";

let isLeavingPage = false;

/** Whether this document is being left: what fails while it unloads leads nowhere else. */
export function isLeaving(): boolean {
  return isLeavingPage;
}

/** Leaves this document for another one. */
export function leavePage(url: string): void {
  isLeavingPage = true;
  // The browser may keep this document for when the member comes back to it.
  addEventListener("pageshow", () => (isLeavingPage = false), { once: true });
  detachOverlays();
  location.assign(url);
}

/**
 * Loads `/` in the place of this document, as the member who is logged in now. With the document goes
 * everything it held: cached answers, drafts, uploads, requests that are under way.
 */
export function reloadForNewSession(): void {
  isLeavingPage = true;
  // The network may take its time, or never answer.
  document.documentElement.hidden = true;
  detachOverlays();
  location.replace("/");
}
