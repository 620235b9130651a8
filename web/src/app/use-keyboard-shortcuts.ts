import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useEffect } from "react";
import { areShortcutsEnabled } from "@/components/keyboard-shortcuts";
import { openCompose } from "@/features/posts/compose-dialog-store";
import { focusSearch } from "@/ui/search-field";
import { useNavigateOrRefresh } from "./refreshable-link";

interface Shortcut {
  /** A key, or two in a row, as the list of shortcuts shows them. */
  keys: string;
  description: MessageDescriptor;
  run: (navigate: (href: string) => void, openShortcutsDialog: (open: true) => void) => unknown;
}

export const shortcuts: readonly Shortcut[] = [
  { keys: "n", description: msg`Write a post`, run: () => openCompose() },
  { keys: "j", description: msg`Next post`, run: () => focusPost(1) },
  { keys: "k", description: msg`Previous post`, run: () => focusPost(-1) },
  { keys: "Enter", description: msg`Open the post`, run: () => clickPostAction("open") },
  { keys: "l", description: msg`Like`, run: () => clickPostAction("like") },
  { keys: "r", description: msg`Reply`, run: () => clickPostAction("reply") },
  { keys: "t", description: msg`Repost`, run: () => clickPostAction("repost") },
  {
    keys: "/",
    description: msg`Search for users`,
    run: (navigate) => focusSearch() || navigate("/discover"),
  },
  { keys: "g h", description: msg`Go home`, run: (navigate) => navigate("/") },
  { keys: "g d", description: msg`Go to Discover`, run: (navigate) => navigate("/discover") },
  {
    keys: "g n",
    description: msg`Go to notifications`,
    run: (navigate) => navigate("/notifications"),
  },
  { keys: "g i", description: msg`Go to invites`, run: (navigate) => navigate("/invites") },
  {
    keys: "?",
    description: msg`Show this list`,
    run: (_, openShortcutsDialog) => openShortcutsDialog(true),
  },
];

const SEQUENCE_TIMEOUT_MS = 1_000;
/** The height below the top of the window that sticky headers may cover, in pixels. */
const STICKY_HEADER_HEIGHT = 80;
/** Overlays that handle keys themselves while they are open. */
const OVERLAY_SELECTOR = "[role='dialog'], [role='alertdialog'], [role='menu']";

/** Handles shortcuts, except in text fields and while an overlay is open. */
export function useKeyboardShortcuts(openShortcutsDialog: (open: true) => void): void {
  const navigate = useNavigateOrRefresh();
  useEffect(() => {
    let sequenceStartedAt = Number.NEGATIVE_INFINITY;
    function onKeyDown(event: KeyboardEvent) {
      const { key, target, timeStamp } = event;
      if (!areShortcutsEnabled.get()) return;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(target) || document.querySelector(OVERLAY_SELECTOR)) return;
      const sequence =
        timeStamp - sequenceStartedAt < SEQUENCE_TIMEOUT_MS ? findShortcut(`g ${key}`) : undefined;
      sequenceStartedAt = key === "g" ? timeStamp : Number.NEGATIVE_INFINITY;
      const shortcut = sequence ?? findShortcut(key);
      // Elsewhere the key presses what has the focus.
      if (!shortcut || (key === "Enter" && target !== getFocusedPost())) return;
      event.preventDefault();
      shortcut.run(navigate, openShortcutsDialog);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [navigate, openShortcutsDialog]);
}

function findShortcut(pressed: string): Shortcut | undefined {
  return shortcuts.find(({ keys }) => keys === pressed);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=checkbox]), textarea, [contenteditable]") !== null
  );
}

function getFocusedPost(): Element | null {
  return document.activeElement?.closest("article") ?? null;
}

function focusPost(step: 1 | -1): void {
  const posts = [...document.querySelectorAll<HTMLElement>("main article")];
  const now = posts.findIndex((post) => post === getFocusedPost());
  const next = now === -1 ? findFirstPostInView(posts) : posts[now + step];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

/** The first post below the bars. Measures few posts, because measuring one out of sight causes its layout. */
function findFirstPostInView(posts: HTMLElement[]): HTMLElement | undefined {
  let start = 0;
  let end = posts.length;
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    if ((posts[middle]?.getBoundingClientRect().bottom ?? 0) > STICKY_HEADER_HEIGHT) end = middle;
    else start = middle + 1;
  }
  return posts[start];
}

function clickPostAction(action: string): void {
  getFocusedPost()?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
}
