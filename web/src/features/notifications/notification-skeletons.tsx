import { Bone } from "@/ui/skeleton";

const ROWS = 6;

/** Notifications that are coming. */
export function NotificationSkeletons() {
  return (
    <div role="status">
      <span className="sr-only">Loading...</span>
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} aria-hidden className="flex gap-4 border-b border-line px-4 py-4 sm:px-5">
          <Bone className="size-11 shrink-0" />
          <div className="flex-1 space-y-3 pt-1">
            <Bone className={index % 2 === 0 ? "h-3.5 w-56" : "h-3.5 w-44"} />
            {index % 3 !== 2 && <Bone className="h-3.5 w-4/5 opacity-60" />}
          </div>
        </div>
      ))}
    </div>
  );
}
