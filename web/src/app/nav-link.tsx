import { Link, useRoute } from "wouter";
import { useMember } from "@/api/session";
import { cx } from "@/lib/cx";
import { CountBadge } from "@/ui/count-badge";
import type { NavEntry } from "./nav";

interface Props {
  entry: NavEntry;
  /** A row with icon and word, or the word under the icon. */
  shape: "row" | "stack";
  onNavigate?: () => void;
}

/** One entry of the navigation; the present place is marked by weight, fill and for screen readers. */
export function NavLink({ entry, shape, onNavigate }: Props) {
  const me = useMember();
  const href = entry.href(me);
  const [active] = useRoute(href);
  const unread = entry.unread?.(me) ?? 0;
  const Icon = entry.icon;
  return (
    <Link
      href={href}
      {...(active && { "aria-current": "page" })}
      {...(onNavigate && { onClick: onNavigate })}
      className={cx(
        "group flex items-center transition-colors",
        shape === "row"
          ? "h-12 gap-4 rounded-full px-4 text-[17px] hover:bg-wash"
          : "h-full flex-1 flex-col justify-center gap-0.5 text-xs focus-visible:-outline-offset-2",
        active ? "font-semibold text-ink" : "text-ink/85",
        shape === "stack" && !active && "text-muted",
      )}
    >
      <span className="relative">
        <Icon
          size={shape === "row" ? 23 : 22}
          strokeWidth={active ? 2.4 : 1.8}
          aria-hidden
          className={cx(active && "text-ember-deep")}
        />
        {shape === "stack" && (
          <CountBadge count={unread} className="absolute -top-1.5 left-3 ring-2 ring-paper" />
        )}
      </span>
      {entry.label}
      {shape === "row" && <CountBadge count={unread} className="ml-auto" />}
    </Link>
  );
}
