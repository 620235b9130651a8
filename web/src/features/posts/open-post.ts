import type { MouseEvent } from "react";
import { useLocation } from "wouter";

const interactive = "a, button, input, textarea, [role='button'], [role='menuitem']";

/**
 * Handlers that make a whole card lead to its post, as a link would: a plain click goes there, a
 * middle click or Ctrl/Cmd+click opens a tab. Buttons and links inside keep their own meaning, and
 * selecting text is not a click.
 */
export function useOpenPost(id: string) {
  const [, navigate] = useLocation();
  const href = `/post/${id}`;
  return {
    onClick(event: MouseEvent) {
      if (!isOwn(event) || event.defaultPrevented || event.shiftKey || event.altKey) return;
      if (getSelection()?.isCollapsed === false) return;
      if (event.ctrlKey || event.metaKey) window.open(href, "_blank", "noopener");
      else navigate(href);
    },
    onMouseDown(event: MouseEvent) {
      // Keeps a middle click from starting to scroll.
      if (event.button === 1 && isOwn(event)) event.preventDefault();
    },
    onAuxClick(event: MouseEvent) {
      if (event.button === 1 && isOwn(event)) window.open(href, "_blank", "noopener");
    },
  };
}

/** Whether a click is for the card itself; one in a dialog that the card opened is not. */
function isOwn(event: MouseEvent): boolean {
  return (
    event.target instanceof Element &&
    event.currentTarget.contains(event.target) &&
    event.target.closest(interactive) === null
  );
}
