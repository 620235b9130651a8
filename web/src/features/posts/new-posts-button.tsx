import { plural, t } from "@lingui/core/macro";
import { useMutation } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { useRef } from "react";
import { loadNewPosts, useNewPostCount } from "@/api/live/new-posts";
import { ActionButton } from "@/ui/action-button";

/** The largest number that is shown. */
const MAX_COUNT = 20;

/**
 * A button above the Friends feed while it has posts that are not loaded. Nothing moves before it is pressed:
 * it takes no room, but lies on the line below the tabs, between their names and above the first post's.
 */
export function NewPostsButton() {
  const count = useNewPostCount();
  const feedStart = useRef<HTMLDivElement>(null);
  const mutation = useMutation({
    mutationFn: loadNewPosts,
    meta: { failure: t`Failed to refresh the feed. Please try again.` },
    onSuccess([first]) {
      // The rows are rendered by then.
      setTimeout(() => goToFeedStart(feedStart.current, first));
    },
  });
  const loadedCount = mutation.data?.length;
  return (
    <>
      <div ref={feedStart} className="scroll-mt-12 max-md:scroll-mt-26" />
      <div className="pointer-events-none sticky top-12 z-10 flex h-0 items-start justify-center max-md:top-26">
        {count > 0 && (
          <ActionButton
            mutation={mutation}
            pending={t`Loading...`}
            size="small"
            className="pointer-events-auto mt-3 -translate-y-full max-sm:px-3 animate-fade bg-popover text-primary-strong tabular-nums shadow-float hover:bg-muted"
          >
            <ArrowUp size={16} aria-hidden className="max-sm:hidden" />
            {count > MAX_COUNT
              ? t`20+ new posts`
              : plural(count, { one: "# new post", other: "# new posts" })}
          </ActionButton>
        )}
      </div>
      <span role="status" className="sr-only">
        {count > 0
          ? t`There are new posts.`
          : loadedCount !== undefined &&
            plural(loadedCount, { one: "# new post loaded", other: "# new posts loaded" })}
      </span>
    </>
  );
}

/** Goes up to the beginning of the feed, and to its first new row. */
function goToFeedStart(start: HTMLElement | null, id: string | undefined): void {
  if (start && start.getBoundingClientRect().top < getScrollMargin(start)) start.scrollIntoView();
  document.querySelector<HTMLElement>(`main [data-row="${CSS.escape(id ?? "")}"]`)?.focus();
}

const getScrollMargin = (element: Element) =>
  Number.parseFloat(getComputedStyle(element).scrollMarginTop);
