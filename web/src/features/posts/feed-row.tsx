import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { forgetHeights, heightOf, rememberHeight } from "@/lib/row-heights";

/** What watched rows are for: the post inside. */
const postIn = new WeakMap<Element, string>();
let observer: IntersectionObserver | undefined;

/** Lets a row be left out of the layout once it is far from sight, and not before. */
function watch(row: HTMLElement, id: string): () => void {
  // At another width every row has another height.
  if (!observer) addEventListener("resize", forgetHeights);
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const { height } = boundingClientRect;
        // One without a height is not on the page.
        if (isIntersecting || height === 0) continue;
        rememberHeight(postIn.get(target) ?? "", height);
        if (target instanceof HTMLElement) Object.assign(target.style, skippable(height));
        // Thousands of rows would be measured at every frame.
        observer?.unobserve(target);
      }
    },
    { rootMargin: "100% 0px" },
  );
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
