import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { hasStatus } from "@/api/error";
import type { PostPage } from "@/api/post-cache";
import type { Reason } from "@/api/types";
import type { PageStart } from "@/lib/link-header";
import { useFirstFew } from "@/lib/use-first-few";
import { LoadMore } from "@/ui/load-more";
import { FailureNotice, Notice } from "@/ui/notice";
import { StaleNotice } from "@/ui/stale-notice";
import { PostSkeletons } from "@/ui/skeleton";
import { FeedRows } from "./feed-rows";
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
  const { data, error } = query;

  if (!data) {
    if (hasStatus(error, 401)) return <Notice title={loggedOut} />;
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return <PostSkeletons label="Loading..." />;
  }
  return <Loaded {...{ query, empty, likeFailure, data }} />;
}

interface LoadedProps extends Pick<Props, "query" | "empty"> {
  data: InfiniteData<PostPage<PageStart>>;
  likeFailure: string;
}

function Loaded({ query, empty, likeFailure, data }: LoadedProps) {
  const all = [...new Set(data.pages.flatMap((page) => page.ids))];
  const ids = useFirstFew(all);
  const reasons: Readonly<Record<string, Reason>> = Object.assign(
    {},
    ...data.pages.map((page) => page.reasons),
  );
  return (
    <>
      <StaleNotice query={query} />
      {ids.length === 0 && !query.hasNextPage && empty}
      <FeedRows ids={ids}>
        {(id) => <PostCard id={id} likeFailure={likeFailure} reason={reasons[id]} />}
      </FeedRows>
      {ids.length === all.length && <LoadMore query={query} label="Load more posts" />}
    </>
  );
}
