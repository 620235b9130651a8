import { Menu as MenuIcon, PenLine } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { openCompose } from "@/features/posts/compose";
import { IconButton } from "@/ui/button";
import { Drawer } from "@/ui/drawer";
import { Logo } from "@/ui/logo";
import { ThemeToggle } from "@/ui/theme-toggle";
import { navEntries } from "./nav";
import { NavLink } from "./nav-link";
import { UserMenu } from "./user-menu";

/** The top bar of small screens: menu, logo, theme. */
export function TopBar() {
  const [open, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center justify-between border-b border-line bg-paper/90 px-2 backdrop-blur-md lg:hidden">
      <IconButton label="Open menu" onClick={() => setOpen(true)}>
        <MenuIcon size={22} aria-hidden />
      </IconButton>
      <Link href="/" aria-label="Kith, home">
        <Logo size={21} />
      </Link>
      <ThemeToggle />
      <Drawer open={open} onOpenChange={setOpen} title="Menu">
        <div className="mb-6 ml-4">
          <Logo size={25} />
        </div>
        <nav aria-label="Menu" className="flex flex-col gap-1">
          {navEntries.map((entry) => (
            <NavLink
              key={entry.label}
              entry={entry}
              shape="row"
              onNavigate={() => setOpen(false)}
            />
          ))}
        </nav>
        <div className="mt-auto pt-6">
          <UserMenu onNavigate={() => setOpen(false)} />
        </div>
      </Drawer>
    </header>
  );
}

/** The bottom bar of small screens. */
export function BottomBar() {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-paper/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-md lg:hidden"
    >
      <div className="mx-auto flex h-15 max-w-[620px]">
        {navEntries
          .filter((entry) => entry.inBottomBar)
          .map((entry) => (
            <NavLink key={entry.label} entry={entry} shape="stack" />
          ))}
      </div>
    </nav>
  );
}

/**
 * The floating button that opens the composer on small screens. While images are added on the page
 * itself it would cover their buttons.
 */
export function ComposeButton() {
  return (
    <button
      type="button"
      aria-label="New Post"
      onClick={() => openCompose()}
      className="fixed right-4 bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-20 flex size-14 items-center justify-center rounded-full bg-ember-deep text-on-ember shadow-float transition-transform active:scale-95 [html:has(main_[data-image])_&]:hidden sm:right-[max(1rem,calc(50vw-310px+1rem))] lg:hidden"
    >
      <PenLine size={22} aria-hidden />
    </button>
  );
}
