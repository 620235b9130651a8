import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueries, useQuery } from "@tanstack/react-query";
import { ArrowUpToLine } from "lucide-react";
import { useLayoutEffect } from "react";
import { Link } from "wouter";
import type { ThreadEntry } from "@/api/post-cache";
import { postQuery } from "@/api/posts";
import { useCurrentUser } from "@/api/auth";
import { cx } from "@/lib/dom/cx";
import { scrollToStart } from "@/lib/navigation/scroll-restoration";
import { useProgressiveList } from "@/lib/hooks/use-progressive-list";
import { RowBoundary } from "@/components/row-boundary";
import { Avatar } from "@/ui/avatar";
import { openCompose } from "./compose-dialog-store";
import { OffscreenSkippingList } from "./offscreen-skipping-list";
import { PostDetail } from "./post-detail";
import { PostCard, type RenderPostMenu } from "./post-card";

interface Props {
  thread: ThreadEntry;
  renderMenu: RenderPostMenu;
}

/** A thread. It starts at its post; what leads to it is above, to be scrolled to. */
export function ThreadView({ thread, renderMenu }: Props) {
  const { id, rootId, ancestorIds, replyIds } = thread;
  useLayoutEffect(scrollToStart, []);
  const hasAncestors = ancestorIds.length > 0;
  return (
    <>
      {hasAncestors && (
        <section aria-label={t`What this answers`}>
          {rootId !== null && (
            <Link
              href={`/post/${rootId}`}
              className="flex min-h-11 items-center gap-2 border-b border-border px-4 font-medium text-primary-strong hover:bg-muted/50 sm:px-5"
            >
              <ArrowUpToLine size={18} aria-hidden className="shrink-0" />
              <Trans>Go to the start of the conversation</Trans>
            </Link>
          )}
          {ancestorIds.map((ancestorId, index) => (
            <RowBoundary key={ancestorId}>
              <PostCard
                id={ancestorId}
                position={index === 0 ? "top" : "above"}
                renderMenu={renderMenu}
              />
            </RowBoundary>
          ))}
        </section>
      )}
      <div
        data-scroll-start
        className={cx(
          "scroll-mt-30 md:scroll-mt-16",
          // So that even a short thread can start at its post, below the bars.
          hasAncestors && "min-h-[calc(100dvh-13.5rem)] md:min-h-[calc(100dvh-8rem)]",
        )}
      >
        <PostDetail id={id} hasAncestors={hasAncestors} renderMenu={renderMenu} />
        <Replies postId={id} ids={replyIds} renderMenu={renderMenu} />
      </div>
    </>
  );
}

interface RepliesProps {
  postId: string;
  ids: readonly string[];
  renderMenu: RenderPostMenu;
}

/** The replies to a post, in the server's order; answers to a reply are nested, one level deep. */
function Replies({ postId, ids, renderMenu }: RepliesProps) {
  const currentUser = useCurrentUser();
  const { data: post } = useQuery(postQuery(postId));
  const replies = useQueries({ queries: ids.map((id) => postQuery(id)) });
  const visibleIds = useProgressiveList(ids);
  const parents = new Map(replies.map(({ data }) => [data?.id, data?.replyToId]));
  const isNested = (id: string) => {
    const parent = parents.get(id);
    return parent != null && parent !== postId && ids.includes(parent);
  };
  return (
    <section aria-label={t`Replies`}>
      {post && !post.isDeleted && (
        <button
          type="button"
          onClick={() => openCompose(post)}
          className="flex w-full items-center gap-3 border-b border-border px-4 py-3.5 text-start text-lg text-muted-foreground transition-colors hover:bg-muted/50 sm:px-5 focus-visible:-outline-offset-2"
        >
          <Avatar user={currentUser} size="small" />
          <Trans>Write your reply</Trans>
        </button>
      )}
      <OffscreenSkippingList ids={visibleIds}>
        {(id) => (
          <PostCard id={id} position={isNested(id) ? "nested" : "below"} renderMenu={renderMenu} />
        )}
      </OffscreenSkippingList>
    </section>
  );
}
