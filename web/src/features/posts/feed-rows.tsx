import {
  type CSSProperties,
  Fragment,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { blocksOf } from "@/lib/row-blocks";

/** How high a block was when it was last laid out, in pixels, by the posts inside. */
const heights = new Map<string, number>();
/** What watched blocks are known by: the posts inside. */
const postsIn = new WeakMap<Element, string>();
let observer: IntersectionObserver | undefined;

/** Lets a block be left out of the layout once it is far from sight, and not before. */
function watch(block: HTMLElement, posts: string): () => void {
  // At another width every block has another height.
  if (!observer) addEventListener("resize", () => heights.clear());
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const { height } = boundingClientRect;
        // One without a height is not on the page.
        if (isIntersecting || height === 0) continue;
        heights.set(postsIn.get(target) ?? "", height);
        if (target instanceof HTMLElement) Object.assign(target.style, skippable(height));
        // Hundreds of blocks would be measured at every frame.
        observer?.unobserve(target);
      }
    },
    { rootMargin: "100% 0px" },
  );
  postsIn.set(block, posts);
  observer.observe(block);
  return () => observer?.unobserve(block);
}

function skippable(height: number): CSSProperties {
  return { contentVisibility: "auto", containIntrinsicBlockSize: `auto ${height}px` };
}

function Block({ posts, children }: { posts: string; children: ReactNode }) {
  const block = useRef<HTMLDivElement>(null);
  const [style] = useState(() => {
    const height = heights.get(posts);
    return height === undefined ? undefined : skippable(height);
  });
  useLayoutEffect(() => (block.current ? watch(block.current, posts) : undefined), [posts]);
  return (
    <div ref={block} style={style}>
      {children}
    </div>
  );
}

/**
 * The rows of a long list, which cost the browser nothing while they are out of sight. They are left
 * out several at once: the browser looks at each such element at every frame. The first layout is a
 * whole one: with guessed heights, what stands below would move while a reader aims at it.
 */
export function FeedRows({
  ids,
  children,
}: {
  ids: readonly string[];
  children: (id: string) => ReactNode;
}) {
  return blocksOf(ids).map((block, index) => (
    // The first one keeps its key when a new post comes on top.
    <Block key={index === 0 ? "first" : block[0]} posts={block.join()}>
      {block.map((id) => (
        <Fragment key={id}>{children(id)}</Fragment>
      ))}
    </Block>
  ));
}
