import { cx } from "@/lib/dom/cx";

/** A card's place in a thread: first above the post, above it, below it, or under the reply it answers. */
export type Place = "top" | "above" | "below" | "nested";

/** Replaces a post that was deleted, or is hidden from this reader, while it has replies. */
export function Tombstone({ place, isHidden = false }: { place?: Place; isHidden?: boolean }) {
  return (
    <div
      className={cx(
        "relative border-line px-4 py-3.5 sm:px-5",
        isAbove(place) ? "pl-19 sm:pl-20" : "border-b",
        place === "nested" && "pl-10 sm:pl-16",
      )}
    >
      {isAbove(place) && <Strand from={place === "top" ? "middle" : "edge"} to="edge" />}
      <p className="text-muted italic">
        {isHidden ? "This post is not available to you." : "This post was deleted."}
      </p>
    </div>
  );
}

export function isAbove(place: Place | undefined): boolean {
  return place === "top" || place === "above";
}

const starts = { edge: "top-0", avatar: "top-3.5", middle: "top-1/2" };
const ends = { edge: "bottom-0", avatar: "h-5" };

/** The line behind the pictures that ties a post to the one above it. */
export function Strand({ from, to }: { from: keyof typeof starts; to: keyof typeof ends }) {
  return (
    <span
      aria-hidden
      className={cx(
        "absolute left-[calc(1rem+21px)] w-0.5 bg-line sm:left-[calc(1.25rem+21px)]",
        starts[from],
        ends[to],
      )}
    />
  );
}
