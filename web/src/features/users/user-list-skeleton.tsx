import { cx } from "@/lib/dom/cx";
import { Skeleton, SkeletonList } from "@/ui/skeleton";

export function UserListSkeleton(props: { label?: string; count?: number; compact?: boolean }) {
  const { label, count = 6, compact = false } = props;
  return (
    <SkeletonList
      label={label}
      count={count}
      className={cx("border-b border-border", compact ? "py-3" : "px-4 py-4.5 sm:px-5")}
    >
      {(index) => (
        <>
          <div className="flex items-center gap-3">
            <Skeleton className={cx("shrink-0", compact ? "size-9" : "size-11")} />
            <div className="flex-1 space-y-2.5">
              <Skeleton className={index % 2 === 0 ? "h-3.5 w-28" : "h-3.5 w-36"} />
              <Skeleton className="h-2.5 w-20 opacity-60" />
            </div>
            <Skeleton className="h-9 w-26 opacity-60" />
          </div>
          {compact && <Skeleton className="my-3 ms-12 h-2.5 w-44 opacity-60" />}
        </>
      )}
    </SkeletonList>
  );
}
