import { Trans } from "@lingui/react/macro";
import { type FocusEvent, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Post } from "@/api/types";
import { cx } from "@/lib/dom/cx";
import { mayNeedClamping } from "@/lib/text/long-text";
import { RichText } from "./rich-text";

/** Lines up to which a text is shown whole: to hide only a few would not be worth a click. */
const MAX_UNCLAMPED_LINES = 15;
/** The posts shown whole on request, so that going back finds each as high as it was. */
const expandedPostIds = new Set<string>();

/** The text of a post in a list; a long one shows 12 lines and a button for the rest. */
export function ClampedText({ post }: { post: Post }) {
  return mayNeedClamping(post.content) ? (
    <ExpandableText key={post.id} post={post} />
  ) : (
    <RichText post={post} />
  );
}

function ExpandableText({ post }: { post: Post }) {
  const container = useRef<HTMLDivElement>(null);
  const [isExpanded, setExpanded] = useState(expandedPostIds.has(post.id));
  const [isLong, setLong] = useState(false);

  // Before it is painted, so that nothing moves; again when the width changes.
  useLayoutEffect(() => {
    const text = container.current?.firstElementChild;
    if (!text || isExpanded) return;
    const measure = () => {
      const line = Number.parseFloat(getComputedStyle(text).lineHeight);
      setLong(text.clientHeight > MAX_UNCLAMPED_LINES * line);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(text);
    return () => observer.disconnect();
  }, [isExpanded]);

  function expand() {
    expandedPostIds.add(post.id);
    setExpanded(true);
  }

  /** A link that the keyboard reaches in the hidden lines would be focused out of sight. */
  function onFocus({ target, currentTarget }: FocusEvent) {
    if (target.getBoundingClientRect().bottom > currentTarget.getBoundingClientRect().bottom) {
      flushSync(expand);
      target.scrollIntoView({ block: "nearest" });
    }
  }

  const isClamped = isLong && !isExpanded;
  return (
    <>
      <div
        ref={container}
        {...(isClamped && { onFocus })}
        className={cx(isClamped && "max-h-[12lh] overflow-clip")}
      >
        <RichText post={post} />
      </div>
      {isClamped && (
        <button
          type="button"
          onClick={(event) => {
            // The button goes; the keyboard continues at the post.
            event.currentTarget.closest("article")?.focus({ preventScroll: true });
            expand();
          }}
          className="-ms-3 h-9 rounded-full px-3 text-body-sm font-semibold text-primary-strong hover:bg-muted"
        >
          <Trans>Show more</Trans>
        </button>
      )}
    </>
  );
}
