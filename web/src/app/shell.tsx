import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useMember } from "@/api/session";
import { ComposeDialog } from "@/features/posts/compose-dialog";
import { useMedia } from "@/lib/use-media";
import { useTitleCount } from "@/lib/use-title";
import { BottomBar, ComposeButton, TopBar } from "./mobile-bars";
import { Rail } from "./rail";
import { ShortcutList } from "./shortcut-list";
import { Sidebar } from "./sidebar";

/** Where the left column stands instead of the bars above and below; as `lg:` in the styles. */
const LARGE = "(min-width: 64rem)";

/** The frame around every screen of a member. */
export function Shell({ children }: { children: ReactNode }) {
  const main = useFocusOnNavigation();
  const large = useMedia(LARGE);
  useTitleCount(useMember().unreadNotificationCount);
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-2.5 font-semibold text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      {!large && <TopBar />}
      <div className="mx-auto flex max-w-[620px] justify-center lg:max-w-none">
        {large && <Sidebar />}
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="min-h-dvh w-full min-w-0 max-w-[620px] overflow-x-clip border-line pb-32 outline-none sm:border-x lg:pb-16"
        >
          {children}
        </main>
        <Rail />
      </div>
      {!large && <ComposeButton />}
      {!large && <BottomBar />}
      <ComposeDialog />
      <ShortcutList />
    </>
  );
}

/** Moves the focus to a new page, so that keyboards and screen readers start at its beginning. */
function useFocusOnNavigation() {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  // Before effects run, so that a field which then asks for the focus has it.
  useLayoutEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
