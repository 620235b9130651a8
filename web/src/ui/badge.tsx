import { t } from "@lingui/core/macro";
import { formatBadgeCount } from "@/lib/text/format-number";
import { cx } from "@/lib/dom/cx";

/** An unread count on or beside a link; nothing for 0. */
export function Badge({ count, className }: { count: number; className?: string }) {
  if (count < 1) return null;
  return (
    <span
      className={cx(
        "inline-flex h-5 min-w-5 items-center justify-center rounded-full border border-transparent bg-primary-strong px-1 font-sans text-xs leading-none font-semibold text-primary-foreground tabular-nums",
        className,
      )}
    >
      {formatBadgeCount(count)}
      <span className="sr-only"> {t`unread`}</span>
    </span>
  );
}
