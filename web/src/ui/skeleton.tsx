import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { cx } from "@/lib/dom/cx";

/** A placeholder for loading text. */
export function Skeleton({ className }: { className: string }) {
  return (
    <div
      className={cx("animate-breathe rounded-full bg-border forced-colors:bg-gray-text", className)}
    />
  );
}

interface SkeletonListProps {
  label?: string | undefined;
  count?: number;
  layout?: string;
  className?: string;
  children: (index: number) => ReactNode;
}

/** Placeholders for loading rows, with a text for screen readers. */
export function SkeletonList(props: SkeletonListProps) {
  const { label, count = 1, layout, className, children } = props;
  return (
    <div role="status" className={layout}>
      <span className="sr-only">{label ?? t`Loading...`}</span>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} aria-hidden className={className}>
          {children(index)}
        </div>
      ))}
    </div>
  );
}

export function PostListSkeleton({ label, count = 4 }: { label?: string; count?: number }) {
  return (
    <SkeletonList
      label={label}
      count={count}
      className="flex gap-3 border-b border-border px-4 py-4 sm:px-5"
    >
      {(index) => (
        <>
          <Skeleton className="size-11 shrink-0" />
          <div className="flex-1 space-y-3 pt-1">
            <Skeleton className="h-3.5 w-40" />
            <Skeleton className="h-3.5 w-full" />
            <Skeleton className={index % 2 === 0 ? "h-3.5 w-4/5" : "h-3.5 w-2/5"} />
            <Skeleton className="h-3 w-56 opacity-60" />
          </div>
        </>
      )}
    </SkeletonList>
  );
}
