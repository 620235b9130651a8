import { useRoute } from "wouter";
import { useCurrentUser } from "@/api/auth";
import { cx } from "@/lib/dom/cx";
import { Badge } from "@/ui/badge";
import type { NavEntry } from "./nav";
import { PlaceLink, useIsRefreshing } from "./place-link";

const shapes = {
  row: "h-12 gap-4 rounded-full px-4 text-[17px] hover:bg-wash",
  icon: "size-12 justify-center rounded-full hover:bg-wash",
  stack:
    "h-full flex-auto flex-col justify-center gap-0.5 px-1 text-xs focus-visible:-outline-offset-2",
};

interface Props {
  entry: NavEntry;
  /** A row with icon and word, an icon alone with the word as its tooltip, or the word under the icon. */
  shape: keyof typeof shapes;
}

/** One entry of the navigation; the present place is marked by weight, fill and for screen readers. */
export function NavLink({ entry, shape }: Props) {
  const me = useCurrentUser();
  const href = entry.href(me);
  const [active] = useRoute(href);
  const isRefreshing = useIsRefreshing(href);
  const unread = entry.unread?.(me) ?? 0;
  const Icon = entry.icon;
  return (
    <PlaceLink
      href={href}
      {...(active && { "aria-current": "page" })}
      {...(shape === "icon" && { title: entry.label })}
      className={cx(
        "group flex items-center transition-colors",
        shapes[shape],
        active && "font-semibold text-ink forced-colors:border-2 forced-colors:border-[Highlight]",
        !active && (shape === "stack" ? "text-muted" : "text-ink/85"),
      )}
    >
      <span className="relative">
        <Icon
          size={shape === "stack" ? 22 : 23}
          strokeWidth={active ? 2.4 : 1.8}
          aria-hidden
          className={cx(active && "text-ember-deep", isRefreshing && "animate-breathe")}
        />
        {shape !== "row" && <Badge count={unread} className="absolute -top-1.5 left-full" />}
      </span>
      <span className={cx(shape === "icon" && "sr-only")}>{entry.label}</span>
      {shape === "row" && <Badge count={unread} className="ml-auto" />}
    </PlaceLink>
  );
}
