import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { composeTarget } from "@/features/posts/compose-dialog-store";
import { focusMain } from "@/lib/dom/focus";
import { useStore } from "@/lib/state/store";
import { layoutQueries, useMediaQuery } from "@/lib/hooks/use-media-query";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { BottomBar, TopBar } from "./mobile-bars";
import { RefreshStatus } from "./place-link";
import { Rail } from "./rail";
import { useShortcuts } from "./shortcuts";
import { Sidebar } from "./sidebar";

const ComposeDialog = lazyOverlay(() => import("@/features/posts/compose-dialog"));
const ShortcutList = lazyOverlay(() => import("./shortcut-list"));

export function Shell({ children }: { children: ReactNode }) {
  useFocusOnNavigation();
  const hasColumns = useMediaQuery(layoutQueries.columns);
  const draft = useStore(composeTarget);
  const [isListOpen, setListOpen] = useState(false);
  useShortcuts(setListOpen);
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-2.5 font-semibold text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      {!hasColumns && <TopBar />}
      <div className="mx-auto flex max-w-[620px] justify-center md:max-w-none">
        {hasColumns && <Sidebar />}
        <main
          id="main"
          tabIndex={-1}
          className="min-h-dvh w-full min-w-0 max-w-[620px] overflow-x-clip border-line pb-24 outline-none sm:border-x md:pb-16"
        >
          {children}
        </main>
        <Rail />
      </div>
      {!hasColumns && <BottomBar />}
      {draft && <ComposeDialog replyTo={draft.replyTo} onClose={() => composeTarget.set(null)} />}
      {isListOpen && <ShortcutList onClose={() => setListOpen(false)} />}
      <RefreshStatus />
    </>
  );
}

/** Moves the focus to a new page, so that keyboards and screen readers start at its beginning. */
function useFocusOnNavigation(): void {
  const [path] = useLocation();
  const shown = useRef(path);
  // Before effects run, so that a field which then asks for the focus has it.
  useLayoutEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    focusMain();
  }, [path]);
}
