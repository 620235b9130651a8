import { cx } from "@/lib/cx";
import { Bone } from "@/ui/skeleton";

interface Props {
  label?: string;
  count?: number;
  /** In a narrow column, which has its own margins. */
  narrow?: boolean;
}

/** Members that are coming, with the words for screen readers. */
export function MemberSkeletons({ label = "Loading...", count = 6, narrow = false }: Props) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        <div
          key={index}
          aria-hidden
          className={cx("border-b border-line", narrow ? "py-3" : "px-4 py-4.5 sm:px-5")}
        >
          <div className="flex items-center gap-3">
            <Bone className={cx("shrink-0", narrow ? "size-9" : "size-11")} />
            <div className="flex-1 space-y-2.5">
              <Bone className={index % 2 === 0 ? "h-3.5 w-28" : "h-3.5 w-36"} />
              <Bone className="h-2.5 w-20 opacity-60" />
            </div>
            <Bone className="h-9 w-26 opacity-60" />
          </div>
          {narrow && <Bone className="my-3 ml-12 h-2.5 w-44 opacity-60" />}
        </div>
      ))}
    </div>
  );
}
