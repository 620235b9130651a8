import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { hasStatus } from "@/api/error";
import { logInAgain } from "@/api/failure";
import type { PostPage } from "@/api/post-cache";
import type { Reason } from "@/api/types";
import type { PageStart } from "@/lib/link-header";
import { Button } from "@/ui/button";
import { FailureNotice, Notice } from "@/ui/notice";
import { PostSkeletons } from "@/ui/skeleton";
import { PostCard } from "./post-card";

interface Props {
  query: UseInfiniteQueryResult<InfiniteData<PostPage<PageStart>>>;
  /** What stands here when there are no posts. */
  empty: ReactNode;
  /** What to say when a like fails. */
  likeFailure?: string;
  /** What to say once the session has ended. */
  loggedOut?: string;
}

/** A list of posts that grows at the member's wish. */
export function PostList({
  query,
  empty,
  likeFailure = "Failed to update like. Please try again.",
  loggedOut = "Please log in.",
}: Props) {
  const { data, error, hasNextPage, isFetchingNextPage } = query;
  useEffect(() => {
    if (hasStatus(error, 401)) logInAgain();
  }, [error]);

  if (!data) {
    if (hasStatus(error, 401)) return <Notice title={loggedOut} />;
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return <PostSkeletons label="Loading..." />;
  }
  const ids = [...new Set(data.pages.flatMap((page) => page.ids))];
  const reasons: Readonly<Record<string, Reason>> = Object.assign(
    {},
    ...data.pages.map((page) => page.reasons),
  );
  if (ids.length === 0) return empty;
  return (
    <>
      {ids.map((id) => (
        <PostCard key={id} id={id} likeFailure={likeFailure} reason={reasons[id]} />
      ))}
      {query.isFetchNextPageError && (
        <FailureNotice error={error} onRetry={() => void query.fetchNextPage()} />
      )}
      {hasNextPage && !query.isFetchNextPageError && (
        <div className="flex justify-center py-8">
          <Button
            look="outline"
            disabled={isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {isFetchingNextPage ? "Loading..." : "Load more posts"}
          </Button>
        </div>
      )}
    </>
  );
}
