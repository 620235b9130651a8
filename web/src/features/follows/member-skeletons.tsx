import { Bone } from "@/ui/skeleton";

const ROWS = 6;

/** Members that are coming. */
export function MemberSkeletons() {
  return (
    <div role="status">
      <span className="sr-only">Loading...</span>
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} aria-hidden className="flex gap-3 border-b border-line px-4 py-4 sm:px-5">
          <Bone className="size-11 shrink-0" />
          <div className="flex-1 space-y-3 pt-1">
            <Bone className="h-3.5 w-36" />
            <Bone className="h-3 w-24 opacity-60" />
            {index % 3 !== 1 && <Bone className="h-3.5 w-4/5 opacity-60" />}
          </div>
          <Bone className="h-9 w-26 shrink-0" />
        </div>
      ))}
    </div>
  );
}
