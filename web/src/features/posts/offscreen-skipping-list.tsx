import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { RowBoundary } from "@/components/row-boundary";
import { lazy } from "@/lib/state/lazy";
import { chunkIds } from "./chunk-ids";

/** How high a block was when it was last laid out, in pixels, by the posts inside. */
const measuredHeights = new Map<string, number>();
// At another width every block has another height.
const clearHeightsOnResize = lazy(() => addEventListener("resize", () => measuredHeights.clear()));

/** A block that is left out of the layout once it is far from sight, and not before. */
function Chunk({ idKey, children }: { idKey: string; children: ReactNode }) {
  const block = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(() => measuredHeights.get(idKey) ?? 0);
  useLayoutEffect(() => {
    clearHeightsOnResize();
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        // One without a height is not on the page.
        if (!entry || entry.isIntersecting || entry.boundingClientRect.height === 0) return;
        measuredHeights.set(idKey, entry.boundingClientRect.height);
        setHeight(entry.boundingClientRect.height);
        // Hundreds of blocks would be measured at every frame.
        observer.disconnect();
      },
      { rootMargin: "100% 0px" },
    );
    if (block.current) observer.observe(block.current);
    return () => observer.disconnect();
  }, [idKey]);
  const size = `auto ${height}px`;
  return (
    <div
      ref={block}
      style={height > 0 ? { contentVisibility: "auto", containIntrinsicBlockSize: size } : {}}
    >
      {children}
    </div>
  );
}

/**
 * Renders the rows of a long list, which the browser skips outside the viewport. They are skipped in groups,
 * because the browser checks each skipped element in every frame. The first layout includes all rows: with
 * estimated heights, content below would shift while a member aims at it.
 */
export function OffscreenSkippingList({
  ids,
  children,
}: {
  ids: readonly string[];
  children: (id: string) => ReactNode;
}) {
  return chunkIds(ids).map((block, index) => (
    // The first one keeps its key when a new post comes on top.
    <Chunk key={index === 0 ? "first" : block[0]} idKey={block.join()}>
      {block.map((id) => (
        <RowBoundary key={id}>{children(id)}</RowBoundary>
      ))}
    </Chunk>
  ));
}
