import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

/** The heights of rows when they last left the page, in pixels, by post. */
const heights = new Map<string, number>();

/** About what a post of two lines takes. */
const USUAL = 150;

/**
 * A row of a long list, which costs the browser nothing while it is out of sight. It keeps its
 * height for when the list comes back, so that a reader who returns finds the same place.
 */
export function FeedRow({ id, children }: { id: string; children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null);
  const [height] = useState(() => heights.get(id) ?? USUAL);
  useLayoutEffect(() => {
    const element = row.current;
    return () => {
      if (element?.isConnected) heights.set(id, element.getBoundingClientRect().height);
    };
  }, [id]);
  return (
    <div
      ref={row}
      className="[content-visibility:auto]"
      style={{ containIntrinsicBlockSize: `auto ${height}px` }}
    >
      {children}
    </div>
  );
}
