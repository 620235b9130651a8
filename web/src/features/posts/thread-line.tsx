import { t } from "@lingui/core/macro";
import { cx } from "@/lib/dom/cx";

/** A card's place in a thread: first above the post, above it, below it, or under the reply it answers. */
export type ThreadPosition = "top" | "above" | "below" | "nested";

/** Replaces a post that was deleted, or is hidden from this reader, while it has replies. */
export function Tombstone({
  position,
  isHidden = false,
}: {
  position?: ThreadPosition;
  isHidden?: boolean;
}) {
  return (
    <div
      className={cx(
        "relative border-border px-4 py-3.5 sm:px-5",
        isAncestor(position) ? "ps-19 sm:ps-20" : "border-b",
        position === "nested" && "ps-10 sm:ps-16",
      )}
    >
      {isAncestor(position) && (
        <ThreadLine from={position === "top" ? "middle" : "edge"} to="edge" />
      )}
      <p className="text-muted-foreground italic">
        {isHidden ? t`This post is not available to you.` : t`This post was deleted.`}
      </p>
    </div>
  );
}

export function isAncestor(position: ThreadPosition | undefined): boolean {
  return position === "top" || position === "above";
}

const startClasses = { edge: "top-0", avatar: "top-3.5", middle: "top-1/2" };
const endClasses = { edge: "bottom-0", avatar: "h-5" };

/** The line behind the pictures that ties a post to the one above it. */
export function ThreadLine({
  from,
  to,
}: {
  from: keyof typeof startClasses;
  to: keyof typeof endClasses;
}) {
  return (
    <span
      aria-hidden
      className={cx(
        "absolute start-[calc(1rem+21px)] w-0.5 bg-border sm:start-[calc(1.25rem+21px)]",
        startClasses[from],
        endClasses[to],
      )}
    />
  );
}
