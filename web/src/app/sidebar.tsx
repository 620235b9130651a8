import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { PenLine } from "lucide-react";
import { openCompose } from "@/features/posts/compose-dialog-store";
import { cx } from "@/lib/dom/cx";
import { layoutQueries, useMediaQuery } from "@/lib/hooks/use-media-query";
import { Button } from "@/ui/button";
import { Logo } from "@/ui/logo";
import { getSiteName } from "@/lib/site";
import { navItems } from "./nav-items";
import { NavLink } from "./nav-link";
import { RefreshableLink } from "./refreshable-link";
import { UserMenu } from "./user-menu";

/** The left column: icons with words where there is room, icons alone on tablets. */
export function Sidebar() {
  const hasLabels = useMediaQuery(layoutQueries.labels);
  return (
    <header
      className={cx(
        "sticky top-0 flex h-dvh shrink-0 flex-col overflow-y-auto py-5",
        hasLabels ? "w-66 pe-6" : "w-22 items-center",
      )}
    >
      <RefreshableLink
        href="/"
        aria-label={t`${{ siteName: getSiteName() }}, home`}
        className={cx(
          "mb-4.5 flex h-11 items-center",
          hasLabels ? "ms-4 w-fit max-w-full" : "w-11 justify-center",
        )}
      >
        <Logo size={25} markOnly={!hasLabels} />
      </RefreshableLink>
      <nav aria-label={t`Main`} className="flex flex-col gap-1">
        {navItems.map((entry) => (
          <NavLink key={entry.label.id} item={entry} variant={hasLabels ? "row" : "icon"} />
        ))}
      </nav>
      <Button
        size={hasLabels ? "large" : "round"}
        className="mt-6"
        onClick={() => openCompose()}
        {...(!hasLabels && { title: t`New Post` })}
      >
        <PenLine size={hasLabels ? 18 : 20} aria-hidden />
        <span className={cx(!hasLabels && "sr-only")}>
          <Trans>New Post</Trans>
        </span>
      </Button>
      <div className="mt-auto pt-6">
        <UserMenu isCompact={!hasLabels} />
      </div>
    </header>
  );
}
