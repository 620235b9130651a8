import { useEffect } from "react";
import { useLocation } from "wouter";
import { openCompose } from "@/features/posts/compose";
import { focusSearch } from "@/lib/search-focus";
import { useGoTo } from "./place-link";

/** A key (or two in a row) and what it does, as the list of shortcuts shows it. */
export const shortcuts = [
  { keys: "n", does: "Write a post" },
  { keys: "j", does: "Next post" },
  { keys: "k", does: "Previous post" },
  { keys: "Enter", does: "Open the post" },
  { keys: "l", does: "Like" },
  { keys: "r", does: "Reply" },
  { keys: "t", does: "Repost" },
  { keys: "/", does: "Search for users" },
  { keys: "g h", does: "Go home" },
  { keys: "g d", does: "Go to Discover" },
  { keys: "g n", does: "Go to notifications" },
  { keys: "g i", does: "Go to invites" },
  { keys: "?", does: "Show this list" },
] as const;

const SEQUENCE_TIME = 1_000;
/** Down to here a post may be hidden by what stands at the top, in pixels. */
const BARS = 80;
/** Where the second key of two leads. */
const goTo: Record<string, string> = { h: "/", d: "/discover", n: "/notifications", i: "/invites" };
/** What the keys belong to while it is open. */
const inFront = "[role='dialog'], [role='alertdialog'], [role='menu']";

/** Listens for the shortcuts wherever nobody is typing and no dialog is open. */
export function useShortcuts(openList: (open: true) => void): void {
  const [, navigate] = useLocation();
  const goToPlace = useGoTo();
  useEffect(() => {
    let wentAt = Number.NEGATIVE_INFINITY;
    const actions: Record<string, () => void> = {
      n: () => openCompose(),
      j: () => moveTo(1),
      k: () => moveTo(-1),
      l: () => press("like"),
      r: () => press("reply"),
      t: () => press("repost"),
      "/": () => focusSearch() || navigate("/discover"),
      "?": () => openList(true),
    };

    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector(inFront)) return;
      const afterG = event.timeStamp - wentAt < SEQUENCE_TIME;
      wentAt = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const place = afterG ? goTo[event.key] : undefined;
      if (place !== undefined) return goToPlace(place);
      if (event.key === "Enter" && event.target === currentPost()) return press("open");
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action();
    }

    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [navigate, goToPlace, openList]);
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

function press(action: "like" | "reply" | "repost" | "open"): void {
  currentPost()?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
}
