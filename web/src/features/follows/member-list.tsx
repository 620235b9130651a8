import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { hasStatus } from "@/api/error";
import type { MemberPage } from "@/api/follows";
import type { User } from "@/api/types";
import { LoadMore } from "@/ui/load-more";
import { FailureNotice, Notice } from "@/ui/notice";
import { StaleNotice } from "@/ui/stale-notice";
import { MemberRow } from "./member-row";
import { MemberSkeletons } from "./member-skeletons";

interface Props {
  query: UseInfiniteQueryResult<InfiniteData<MemberPage>>;
  /** What stands here when there is nobody. */
  empty: ReactNode;
  /** In a narrow place: without what members say of themselves. */
  narrow?: boolean;
  /** What one can do with each, instead of following. */
  renderAction?: (user: User) => ReactNode;
}

/** A list of members that grows at the reader's wish. */
export function MemberList({ query, empty, narrow = false, renderAction }: Props) {
  const { data, error } = query;

  if (!data) {
    if (hasStatus(error, 401)) return <Notice title="Please log in." />;
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return <MemberSkeletons />;
  }
  const members = new Map(data.pages.flatMap((page) => page.members.map((it) => [it.id, it])));
  return (
    <>
      <StaleNotice query={query} />
      {members.size === 0 && !query.hasNextPage && empty}
      <ul>
        {[...members.values()].map((user) => (
          <MemberRow key={user.id} user={user} narrow={narrow} action={renderAction?.(user)} />
        ))}
      </ul>
      <LoadMore query={query} />
    </>
  );
}
