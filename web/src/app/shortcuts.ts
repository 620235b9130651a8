import { useEffect } from "react";
import { openCompose } from "@/features/posts/compose-dialog-store";
import { focusSearch } from "@/ui/search-field";
import { useGoTo } from "./place-link";

interface Shortcut {
  /** A key, or two in a row, as the list of shortcuts shows them. */
  keys: string;
  does: string;
  run: (goTo: (href: string) => void, openList: (open: true) => void) => unknown;
}

export const shortcuts: readonly Shortcut[] = [
  { keys: "n", does: "Write a post", run: () => openCompose() },
  { keys: "j", does: "Next post", run: () => moveTo(1) },
  { keys: "k", does: "Previous post", run: () => moveTo(-1) },
  { keys: "Enter", does: "Open the post", run: () => press("open") },
  { keys: "l", does: "Like", run: () => press("like") },
  { keys: "r", does: "Reply", run: () => press("reply") },
  { keys: "t", does: "Repost", run: () => press("repost") },
  { keys: "/", does: "Search for users", run: (goTo) => focusSearch() || goTo("/discover") },
  { keys: "g h", does: "Go home", run: (goTo) => goTo("/") },
  { keys: "g d", does: "Go to Discover", run: (goTo) => goTo("/discover") },
  { keys: "g n", does: "Go to notifications", run: (goTo) => goTo("/notifications") },
  { keys: "g i", does: "Go to invites", run: (goTo) => goTo("/invites") },
  { keys: "?", does: "Show this list", run: (_, openList) => openList(true) },
];

const SEQUENCE_TIME = 1_000;
/** Down to here a post may be hidden by what stands at the top, in pixels. */
const BARS = 80;
/** What the keys belong to while it is open. */
const inFront = "[role='dialog'], [role='alertdialog'], [role='menu']";

/** Listens for the shortcuts wherever nobody is typing and no dialog is open. */
export function useShortcuts(openList: (open: true) => void): void {
  const goTo = useGoTo();
  useEffect(() => {
    let wentAt = Number.NEGATIVE_INFINITY;
    function onKeyDown(event: KeyboardEvent) {
      const { key, target, timeStamp } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(target) || document.querySelector(inFront)) return;
      const second = timeStamp - wentAt < SEQUENCE_TIME ? find(`g ${key}`) : undefined;
      wentAt = key === "g" ? timeStamp : Number.NEGATIVE_INFINITY;
      const shortcut = second ?? find(key);
      // Elsewhere the key presses what has the focus.
      if (!shortcut || (key === "Enter" && target !== currentPost())) return;
      event.preventDefault();
      shortcut.run(goTo, openList);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [goTo, openList]);
}

function find(pressed: string): Shortcut | undefined {
  return shortcuts.find(({ keys }) => keys === pressed);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
}

function currentPost(): Element | null {
  return document.activeElement?.closest("article") ?? null;
}

function moveTo(step: 1 | -1): void {
  const posts = [...document.querySelectorAll<HTMLElement>("main article")];
  const now = posts.findIndex((post) => post === currentPost());
  const next = now === -1 ? firstInView(posts) : posts[now + step];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

/** The first post below the bars. Few are looked at: to measure one that is out of sight, the browser lays it out. */
function firstInView(posts: HTMLElement[]): HTMLElement | undefined {
  let start = 0;
  let end = posts.length;
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    if ((posts[middle]?.getBoundingClientRect().bottom ?? 0) > BARS) end = middle;
    else start = middle + 1;
  }
  return posts[start];
}

function press(action: string): void {
  currentPost()?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
}
