import { t } from "@lingui/core/macro";
import { useRoute } from "wouter";
import { useCurrentUser } from "@/api/auth";
import { cx } from "@/lib/dom/cx";
import { Badge } from "@/ui/badge";
import type { NavItem } from "./nav-items";
import { RefreshableLink, useIsRefreshing } from "./refreshable-link";

const variantClasses = {
  row: "h-12 gap-4 rounded-full px-4 text-body-lg hover:bg-muted",
  icon: "size-12 justify-center rounded-full hover:bg-muted",
  stack:
    "h-full flex-auto flex-col justify-center gap-0.5 px-1 text-xs focus-visible:-outline-offset-2",
};

interface Props {
  item: NavItem;
  /** A row with icon and word, an icon alone with the word as its tooltip, or the word under the icon. */
  variant: keyof typeof variantClasses;
}

/** One entry of the navigation; the present place is marked by weight, fill and for screen readers. */
export function NavLink({ item, variant }: Props) {
  const currentUser = useCurrentUser();
  const href = item.getHref(currentUser);
  const [isActive] = useRoute(href);
  const isRefreshing = useIsRefreshing(href);
  const unreadCount = item.getUnreadCount?.(currentUser) ?? 0;
  const label = t(item.label);
  const Icon = item.icon;
  return (
    <RefreshableLink
      href={href}
      {...(isActive && { "aria-current": "page" })}
      {...(variant === "icon" && { title: label })}
      className={cx(
        "group flex items-center transition-colors",
        variantClasses[variant],
        isActive &&
          "font-semibold text-foreground forced-colors:border-2 forced-colors:border-highlight",
        !isActive && (variant === "stack" ? "text-muted-foreground" : "text-foreground/85"),
      )}
    >
      <span className="relative">
        <Icon
          size={variant === "stack" ? 22 : 23}
          strokeWidth={isActive ? 2.4 : 1.8}
          aria-hidden
          className={cx(isActive && "text-primary-strong", isRefreshing && "animate-breathe")}
        />
        {variant !== "row" && (
          <Badge count={unreadCount} className="absolute -top-1.5 start-full" />
        )}
      </span>
      <span className={cx(variant === "icon" && "sr-only")}>{label}</span>
      {variant === "row" && <Badge count={unreadCount} className="ms-auto" />}
    </RefreshableLink>
  );
}
