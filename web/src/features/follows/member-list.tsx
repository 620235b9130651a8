import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { hasStatus } from "@/api/error";
import { logInAgain } from "@/api/failure";
import type { MemberPage } from "@/api/follows";
import { Button } from "@/ui/button";
import { FailureNotice, Notice } from "@/ui/notice";
import { MemberRow } from "./member-row";
import { MemberSkeletons } from "./member-skeletons";

interface Props {
  query: UseInfiniteQueryResult<InfiniteData<MemberPage>>;
  /** What stands here when there is nobody. */
  empty: ReactNode;
}

/** A list of members that grows at the reader's wish. */
export function MemberList({ query, empty }: Props) {
  const { data, error, hasNextPage, isFetchingNextPage } = query;
  useEffect(() => {
    if (hasStatus(error, 401)) logInAgain();
  }, [error]);

  if (!data) {
    if (hasStatus(error, 401)) return <Notice title="Please log in." />;
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return <MemberSkeletons />;
  }
  const members = new Map(data.pages.flatMap((page) => page.members.map((it) => [it.id, it])));
  if (members.size === 0) return empty;
  return (
    <>
      <ul>
        {[...members.values()].map((user) => (
          <MemberRow key={user.id} user={user} />
        ))}
      </ul>
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
            {isFetchingNextPage ? "Loading..." : "Load more"}
          </Button>
        </div>
      )}
    </>
  );
}
