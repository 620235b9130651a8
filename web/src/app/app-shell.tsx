import { Trans } from "@lingui/react/macro";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { composeTarget } from "@/features/posts/compose-dialog-store";
import { focusMain } from "@/lib/dom/focus";
import { useStore } from "@/lib/state/store";
import { layoutQueries, useMediaQuery } from "@/lib/hooks/use-media-query";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { BottomBar, TopBar } from "./mobile-nav";
import { RefreshStatus } from "./refreshable-link";
import { RightRail } from "./right-rail";
import { useKeyboardShortcuts } from "./use-keyboard-shortcuts";
import { Sidebar } from "./sidebar";

const ComposeDialog = lazyOverlay(() => import("@/features/posts/compose-dialog"));
const KeyboardShortcutsDialog = lazyOverlay(() => import("./keyboard-shortcuts-dialog"));

export function AppShell({ children }: { children: ReactNode }) {
  useFocusOnNavigation();
  const hasColumns = useMediaQuery(layoutQueries.columns);
  const composer = useStore(composeTarget);
  const [isShortcutsDialogOpen, setShortcutsDialogOpen] = useState(false);
  useKeyboardShortcuts(setShortcutsDialogOpen);
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 start-2 z-50 -translate-y-20 rounded-full bg-foreground px-5 py-2.5 font-semibold text-background focus:translate-y-0"
      >
        <Trans>Skip to content</Trans>
      </a>
      {!hasColumns && <TopBar />}
      <div className="mx-auto flex max-w-[620px] justify-center md:max-w-none">
        {hasColumns && <Sidebar />}
        <main
          id="main"
          tabIndex={-1}
          className="min-h-dvh w-full min-w-0 max-w-[620px] overflow-x-clip border-border pb-24 outline-none sm:border-x md:pb-16"
        >
          {children}
        </main>
        <RightRail />
      </div>
      {!hasColumns && <BottomBar />}
      {composer && (
        <ComposeDialog replyTo={composer.replyTo} onClose={() => composeTarget.set(null)} />
      )}
      {isShortcutsDialogOpen && (
        <KeyboardShortcutsDialog onClose={() => setShortcutsDialogOpen(false)} />
      )}
      <RefreshStatus />
    </>
  );
}

/** Moves the focus to a new page, so that keyboards and screen readers start at its beginning. */
function useFocusOnNavigation(): void {
  const [path] = useLocation();
  const shownPath = useRef(path);
  // A layout effect, so that fields which take the focus in an effect keep it.
  useLayoutEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    focusMain();
  }, [path]);
}
