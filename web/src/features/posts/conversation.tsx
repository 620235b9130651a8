import { useLayoutEffect } from "react";
import type { ThreadIds } from "@/api/post-cache";
import { cx } from "@/lib/cx";
import { goToStart } from "@/lib/scroll-start";
import { MainPost } from "./main-post";
import { PostCard } from "./post-card";
import { Replies } from "./replies";

/**
 * A thread: what leads to the post, the post, and the replies to it. It starts at the post; what
 * is above waits there to be scrolled to.
 */
export function Conversation({ thread }: { thread: ThreadIds }) {
  const { id, ancestorIds, replyIds } = thread;
  useLayoutEffect(goToStart, []);
  const isTied = ancestorIds.length > 0;
  return (
    <>
      {isTied && (
        <section aria-label="What this answers">
          {ancestorIds.map((above, index) => (
            <PostCard
              key={above}
              id={above}
              place={index === 0 ? "top" : "above"}
              likeFailure="Failed to update like. Please try again."
            />
          ))}
        </section>
      )}
      <div
        data-scroll-start
        className={cx(
          "scroll-mt-30 lg:scroll-mt-16",
          // So that even a short thread can start at its post, below the bars.
          isTied && "min-h-[calc(100dvh-15.5rem)] lg:min-h-[calc(100dvh-8rem)]",
        )}
      >
        <MainPost id={id} isTied={isTied} />
        <Replies postId={id} ids={replyIds} />
      </div>
    </>
  );
}
