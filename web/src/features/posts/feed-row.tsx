import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { heightOf, rememberHeight } from "@/lib/row-heights";

/** What measured rows are for: the post inside. */
const postIn = new WeakMap<Element, string>();
let observer: ResizeObserver | undefined;

/** Watches how high a row is; only a row that was laid out once may be left out of the layout. */
function watch(row: HTMLElement, id: string): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const height = borderBoxSize[0]?.blockSize ?? 0;
      rememberHeight(postIn.get(target) ?? "", height);
      if (target instanceof HTMLElement) Object.assign(target.style, skippable(height));
    }
  });
  postIn.set(row, id);
  observer.observe(row);
  return () => observer?.unobserve(row);
}

function skippable(height: number): CSSProperties {
  return { contentVisibility: "auto", containIntrinsicBlockSize: `auto ${height}px` };
}

/**
 * A row of a long list, which costs the browser nothing while it is out of sight. Its first layout is
 * a whole one: with a guessed height, what stands below would move while a reader aims at it.
 */
export function FeedRow({ id, children }: { id: string; children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null);
  const [style] = useState(() => {
    const height = heightOf(id);
    return height === undefined ? undefined : skippable(height);
  });
  useLayoutEffect(() => (row.current ? watch(row.current, id) : undefined), [id]);
  return (
    <div ref={row} style={style}>
      {children}
    </div>
  );
}
