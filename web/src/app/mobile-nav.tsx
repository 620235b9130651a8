import { t } from "@lingui/core/macro";
import { Menu as MenuIcon } from "lucide-react";
import { useState } from "react";
import { cx } from "@/lib/dom/cx";
import { IconButton } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { Logo } from "@/ui/logo";
import { LegalLinks } from "@/components/legal-links";
import { ThemeToggle } from "@/components/theme-toggle";
import { getSiteName } from "@/lib/site";
import { ComposeButton } from "./compose-button";
import { navItems } from "./nav-items";
import { NavLink } from "./nav-link";
import { RefreshableLink } from "./refreshable-link";
import { useIsScrollingDown } from "./use-is-scrolling-down";
import { UserMenu } from "./user-menu";

const Drawer = lazyOverlay(() => import("@/ui/drawer"));

export function TopBar() {
  const [open, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center justify-between border-b border-border bg-background px-2">
      <IconButton label={t`Open menu`} onClick={() => setOpen(true)}>
        <MenuIcon size={22} aria-hidden />
      </IconButton>
      <RefreshableLink
        href="/"
        aria-label={t`${{ siteName: getSiteName() }}, home`}
        className="flex h-11 min-w-0 items-center"
      >
        <Logo size={21} />
      </RefreshableLink>
      <ThemeToggle />
      {open && (
        <Drawer onClose={() => setOpen(false)}>
          <div className="mb-6 ms-4 me-10">
            <Logo size={25} />
          </div>
          <nav aria-label={t`Menu`} className="flex flex-col gap-1">
            {navItems.map((entry) => (
              <NavLink key={entry.label.id} item={entry} variant="row" />
            ))}
          </nav>
          <div className="mt-auto pt-6">
            <div className="mb-4 flex flex-wrap gap-x-5 gap-y-1 px-4 text-sm text-muted-foreground">
              <LegalLinks />
            </div>
            <UserMenu />
          </div>
        </Drawer>
      )}
    </header>
  );
}

/** The bottom bar of small screens: out of the way while the member reads on, and back for the focus. */
export function BottomBar() {
  const isScrollingDown = useIsScrollingDown();
  return (
    <div
      className={cx(
        "fixed inset-x-0 bottom-0 z-20 border-t border-border bg-background pb-[env(safe-area-inset-bottom)] transition-transform duration-200 focus-within:translate-y-0",
        isScrollingDown && "translate-y-full",
      )}
    >
      <div className="mx-auto flex h-15 max-w-[620px] items-center pe-3 ps-1">
        <nav aria-label={t`Main`} className="flex h-full flex-1">
          {navItems
            .filter((entry) => !entry.isMenuOnly)
            .map((entry) => (
              <NavLink key={entry.label.id} item={entry} variant="stack" />
            ))}
        </nav>
        <ComposeButton />
      </div>
    </div>
  );
}
