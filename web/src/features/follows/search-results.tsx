import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { hasStatus } from "@/api/error";
import type { User } from "@/api/types";
import { cx } from "@/lib/cx";
import { buttonClass } from "@/ui/button";
import { FailureNotice, Notice } from "@/ui/notice";
import { MemberRow } from "./member-row";
import { MemberSkeletons } from "./member-skeletons";

interface Props {
  term: string;
  /** The members found; those of the term before while this one is under way. */
  query: UseQueryResult<User[]>;
  /** Whether another term is being typed. */
  isTyping: boolean;
}

/** Members whose name holds a term. */
export function SearchResults({ term, query, isTyping }: Props) {
  const headingId = useId();
  const isSearching = isTyping || query.isPlaceholderData || query.isPending;
  return (
    <section aria-labelledby={headingId} className="border-t border-line">
      <div className="flex items-baseline justify-between gap-4 px-4 pt-5 pb-2 sm:px-5">
        <h2 id={headingId} className="font-serif text-[26px] leading-8">
          Search Results
        </h2>
        <p role="status" className="text-[15px] text-muted">
          {isSearching ? "Searching..." : <Found query={query} />}
        </p>
      </div>
      <div className={cx("transition-opacity", isSearching && query.data && "opacity-55")}>
        <Rows term={term} query={query} />
      </div>
    </section>
  );
}

function Found({ query }: { query: Props["query"] }): ReactNode {
  const count = query.data?.length ?? 0;
  if (count === 0) return null;
  return (
    <span className="sr-only">{count === 1 ? "1 member found" : `${count} members found`}</span>
  );
}

function Rows({ term, query }: { term: string; query: Props["query"] }) {
  const { data, error, refetch } = query;
  if (data && data.length > 0) {
    return (
      <ul>
        {data.map((user) => (
          <MemberRow key={user.id} user={user} />
        ))}
      </ul>
    );
  }
  if (data) return <NobodyFound term={term} />;
  // What is refused because of the term is refused again.
  if (hasStatus(error, 400))
    return <Notice title={error.sentence ?? "Nobody can be searched for like that."} />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-hidden>
      <MemberSkeletons count={4} />
    </div>
  );
}

function NobodyFound({ term }: { term: string }) {
  return (
    <Notice
      title={
        <>
          No users found for “<bdi className="[overflow-wrap:anywhere]">{term}</bdi>”.
        </>
      }
    >
      <Link href="/invites" className={buttonClass("outline")}>
        Invite Friends
      </Link>
    </Notice>
  );
}
